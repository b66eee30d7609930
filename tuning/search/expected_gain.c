/* See expected_gain.h. */
#include "tuning/search/expected_gain.h"
#include <math.h>

void fg_guesses_add(fg_guesses *g, double guessed, double measured) {
  double off = log(measured / guessed);
  g->sum += off, g->squares += off * off;
  g->count++;
}

double fg_guesses_mean(const fg_guesses *g) { return (g->weight * g->prior_mean + g->sum) / (g->weight + g->count); }

double fg_guesses_sd(const fg_guesses *g) {
  double mean = fg_guesses_mean(g), n = g->count;
  double own = g->squares - 2 * mean * g->sum + n * mean * mean, weight = g->weight > 1 ? g->weight : 1;
  return sqrt((weight * g->prior_sd * g->prior_sd + fmax(own, 0)) / (weight + n));
}

double fg_expected_gain(const fg_guesses *g, double guessed, double best) {
  const double pi = 3.14159265358979323846;
  double sd = fg_guesses_sd(g), z = (log(best / guessed) - fg_guesses_mean(g)) / sd;
  double density = exp(-z * z / 2) / sqrt(2 * pi), below = 0.5 * erfc(-z / sqrt(2));
  return sd * (z * below + density);
}
