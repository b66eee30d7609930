/* The functions of wrap.def: what stands in their place, and they themselves. */
#ifndef MUTANT_WRAP_H
#define MUTANT_WRAP_H
#include "generator/emit_parts.h"
#include "generator/pipeline.h"

#define WRAP(function) extern __typeof__(function) __wrap_##function, __real_##function;
#include "tests/mutant/wrap.def"
#undef WRAP
#endif
