/* Numbers in memory, their rounding, and random ones: of this campaign's own. */
#ifndef CAMPAIGN_NUMBERS_H
#define CAMPAIGN_NUMBERS_H
#include "problem.h"
#include <stdint.h>

uint64_t random_bits(uint64_t *state); /* splitmix64 */
long long random_below(uint64_t *state, long long n);
uint64_t random_start(uint64_t seed, long long number);

long double number_get(const void *array, number type, long long i);
void number_put_random(void *array, number type, long long i, uint64_t *state); /* -1 .. 1; integers: all */
long double number_unit(number type);                                           /* half a unit in the last place of 1 */
/* May a computed value that is v but for an error of at most e be in memory as got? */
bool number_allowed(long double got, number type, long double v, long double e);
#endif
