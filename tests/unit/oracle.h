/* The oracle of mutation tests: what a program does, without the proof. Plain
 * recursion over digits, numbers of 113 bits, threads and blocks in orders that
 * look for trouble; results against the DFT's definition. */
#ifndef ORACLE_H
#define ORACLE_H
#include "generator/program.h"
#include <stdbool.h>

/* True when p computes its problem at every parameter setting and in every order
 * tried, and writes nothing else; why says what went wrong. */
bool oracle_right(const fg_program *p, uint64_t seed, char why[160]);
#endif
