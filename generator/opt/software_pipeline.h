/* Loops whose iterations store while the next one computes. */
#ifndef FG_OPT_SOFTWARE_PIPELINE_H
#define FG_OPT_SOFTWARE_PIPELINE_H
#include "generator/text/recorder.h"

/* Positions: where loops begin, and the iteration inside them. True: in their place there are others now, and one
 * bracket is open behind them. */
bool fg_software_pipeline(fg_coder *c, int32_t loops, int32_t iteration);
#endif
