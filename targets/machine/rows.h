/* The rows of this folder, for the table (targets/machine/machine.c). */
#ifndef FG_MACHINE_ROWS_H
#define FG_MACHINE_ROWS_H
#include "targets/machine/machine.h"

#define ROW(name) extern const fg_machine fg_machine_##name;
#include "targets/machine/rows.def"
#undef ROW
#endif
