/* The functions of wrap.def: what replaces them, and they themselves. */
#ifndef MUTANT_WRAP_H
#define MUTANT_WRAP_H
#include "generator/bundle/parts.h"
#include "generator/lower/access.h"
#include "generator/lower/address.h"
#include "generator/lower/element_moves.h"
#include "generator/lower/loops.h"
#include "generator/lower/memory.h"
#include "generator/lower/move.h"
#include "generator/lower/operations.h"
#include "generator/lower/reorder.h"
#include "generator/lower/shuffle_network.h"
#include "generator/lower/stage.h"
#include "generator/lower/storage.h"
#include "generator/lower/transpose.h"
#include "generator/lower/value.h"
#include "generator/lower/vector_value.h"
#include "generator/pipeline/pipeline.h"
#include "generator/text/sum.h"
#include "tuning/search/object.h"

#define WRAP(function) extern __typeof__(function) __wrap_##function, __real_##function;
#include "tests/mutant/wrap.def"
#undef WRAP

const char *fault_not(fg_writer *w, const char *truth); /* seams_value.c */
#endif
