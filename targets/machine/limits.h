/* Sizes from which on plans and text take another form (limits.def), and recipes propose others (plan_limits.def). */
#ifndef FG_MACHINE_LIMITS_H
#define FG_MACHINE_LIMITS_H
#include <stdint.h>

typedef struct fg_limits {
#define LIMIT(name, value, meaning) int64_t name;
#include "targets/machine/limits.def"
#include "targets/machine/plan_limits.def"
#undef LIMIT
} fg_limits;
extern const fg_limits fg_machine_limits;
static const fg_limits *const limit = &fg_machine_limits;
#endif
