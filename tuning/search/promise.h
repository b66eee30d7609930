/* Promise: how much would a candidate gain that was not tried yet? What a model says, or what it was made from takes,
 * is its likeliest time; how far such guesses were off so far is how far it may be. The expected gain (Mockus 1975;
 * Jones, Schonlau and Welch 1998) says which is next, and when none is worth it any more. */
#ifndef FG_PROMISE_H
#define FG_PROMISE_H

typedef struct fg_guesses {            /* of one kind: logarithms of what was measured over what was guessed */
  double prior_mean, prior_sd, weight; /* before any was measured, and as good as so many measurements */
  double sum, squares;
  int count;
} fg_guesses;

void fg_guesses_add(fg_guesses *g, double guessed, double measured);
double fg_guesses_mean(const fg_guesses *g);
double fg_guesses_sd(const fg_guesses *g);
/* Expected part of `best` that is saved by one guessed to take `guessed`, all in the same unit. */
double fg_promise(const fg_guesses *g, double guessed, double best);
#endif
