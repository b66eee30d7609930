/* The oracle of mutation tests: what a program does, without the proof. Plain
 * recursion over digits, numbers of 113 bits, threads and blocks in orders that
 * look for trouble; results against the DFT's definition. */
#ifndef ORACLE_H
#define ORACLE_H
#include "generator/ir/program.h"
#include "targets/device.h"
#include <mpfr.h>
#include <stdbool.h>

__extension__ typedef __float128 oracle_quad;
typedef struct oracle_quadc {
  oracle_quad re, im;
} oracle_quadc;

/* True when p computes its problem at every parameter setting and in every order
 * tried, and writes nothing else; why is the error. */
bool oracle_right(const fg_program *p, uint64_t seed, char why[160]);

/* The same for a text in the prime-field dialect over this field, emitted for p
 * and perhaps changed since: its operations work on numbers of 113 bits, found by
 * handles; its literals are known by their images. */
bool oracle_text_right(const fg_program *p, const fg_artifact *text, const fg_field *field, uint64_t seed,
                       char why[160]);

/* What both need: a table by its definition (free it), the sum that is the DFT. */
oracle_quadc *oracle_table(const fg_table *t);
int32_t *oracle_indices(const fg_table *t); /* of an index table */
void oracle_dft(int64_t n, int sign, const oracle_quadc *x, oracle_quadc *y);
oracle_quad oracle_constant(mpfr_t x);
#endif
