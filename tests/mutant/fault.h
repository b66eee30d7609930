/* One fault in the emitter, made on purpose. In: what passes through a seam of the emitter, a function that one
 * of its files calls in another. Out: whether the fault is here.
 *
 * The idea: a fault is a rule, as a programmer's mistake is: wherever the same thing passes through the same seam, it
 * becomes the same other thing, in the text that is handed out and in the text that is proved. A first run with
 * $FFTGEN_MUTANT_LIST=FILE writes down what passes; a run with $FFTGEN_MUTANT=SEED chooses one line of that file, and
 * appends to $FFTGEN_MUTANT_SAID what it changed. */
#ifndef MUTANT_FAULT_H
#define MUTANT_FAULT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum seam {
#define SEAM(NAME, weight, what) SEAM_##NAME,
#include "tests/mutant/seams.def"
#undef SEAM
  SEAMS
} seam;

/* What passes, as a number: of texts and whole numbers, in order. */
uint64_t fault_key(const char *text);
uint64_t fault_key_text(uint64_t key, const char *text); /* NULL: another thing than "" */
uint64_t fault_key_number(uint64_t key, int64_t number);
/* Of a line or an expression, whose words are the language's: what it has in every dialect, names like x3r and t12,
 * those that are twice in a row once.
 * A line without any: key. */
uint64_t fault_key_names(uint64_t key, const char *text, size_t length);
uint64_t fault_key_value(uint64_t key, const char *value); /* the same of a whole text, or of an element "px[6]" */

/* Does it become another thing here? in_proof: it passes on the way to a text that is proved and not handed out: then
 * it is not written down. */
bool fault_is_here(seam s, bool in_proof, uint64_t key);
/* 0 .. n - 1, the same for which wherever the fault is. */
int64_t fault_choice(int which, int64_t n);
struct fg_context;
struct fg_artifact;
void fault_in_instructions(struct fg_context *cx, struct fg_artifact *made);   /* instructions.c */
void fault_say(const char *format, ...) __attribute__((format(printf, 1, 2))); /* the first time */
#endif
