/* A transform's results as bands of frequencies. */
#ifndef FG_ASSEMBLE_STEPS_BANK_H
#define FG_ASSEMBLE_STEPS_BANK_H
#include "generator/assemble/task.h"

/* A plan's stages, with store=mel(...) behind them where the problem has it. */
fg_status fg_build_banked(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* Real elements times those of an access. */
fg_operations *fg_build_weighting(fg_builder *b, const fg_access *weight);
#endif
