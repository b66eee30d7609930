/* The expected gain of a candidate that was not tried yet. Its likeliest time is the model's prediction, or
 * the time of the plan from which it was made; the errors of earlier predictions give the spread. The expected gain
 * (Mockus 1975; Jones, Schonlau and Welch 1998) decides which candidate is next, and when the search ends. */
#ifndef FG_EXPECTED_GAIN_H
#define FG_EXPECTED_GAIN_H

typedef struct fg_guesses {            /* of one kind: logarithms of what was measured over what was guessed */
  double prior_mean, prior_sd, weight; /* before any was measured, and as good as this number of measurements */
  double sum, squares;
  int count;
} fg_guesses;

void fg_guesses_add(fg_guesses *g, double guessed, double measured);
double fg_guesses_mean(const fg_guesses *g);
double fg_guesses_sd(const fg_guesses *g);
/* Expected part of `best` that is saved by one guessed to take `guessed`, all in the same unit. */
double fg_expected_gain(const fg_guesses *g, double guessed, double best);
#endif
