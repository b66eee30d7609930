/* Which of several candidates is the fastest, by noisy samples? Successive halving (Jamieson and Talwalkar
 * 2016), in which a candidate stays as long as its confidence interval overlaps the fastest's (Maron and Moore
 * 1997): candidates are sampled whose place that can decide, and end when the order is decided. Pure arithmetic:
 * the search takes the samples. */
#ifndef FG_SUCCESSIVE_HALVING_H
#define FG_SUCCESSIVE_HALVING_H
#include <stdbool.h>

enum {
  FG_HALVING_SAMPLES = 96,
  FG_HALVING_LEAST = 3,   /* samples that have a spread */
  FG_HALVING_UNKNOWN = -1 /* the spread of fewer */
};

typedef struct fg_entrant {
  double sample[FG_HALVING_SAMPLES]; /* nanoseconds */
  int count, from;                   /* from: the first that counts */
  double ns, half;                   /* median, and half of its interval of 90 % */
  double spread;                     /* distance of the quartiles over the median; negative: not known */
  double doubt;                      /* must be faster by this part of its time to win, and by `half`; 0: neither */
  bool stays;                        /* whatever its first samples were: a disturbance may have been in them */
  bool out;
  bool won; /* the race is over; what is measured since is another time's */
} fg_entrant;

/* What it counts as in comparisons: its time, and what it is doubted by; who has won is before all. */
double fg_halving_doubted(const fg_entrant *e);
/* ns, half and spread out of the samples; one sample alone says little. */
void fg_halving_add(fg_entrant *e, double ns);
/* Fastest first, doubts included; of the slower half those leave that the fastest has surely beaten, of all those that
 * it has beaten by a twentieth, but for one that stays. Returns how many are left; the others, behind them, are out. */
int fg_halving_cut(fg_entrant **e, int count);
/* e: sorted by fg_halving_cut. Whether more rounds could change which one wins by half a percent. */
bool fg_halving_is_decided(fg_entrant *const *e, int count);
/* The run of `window` samples with the least spread becomes those that count. */
void fg_halving_calmest(fg_entrant *e, int window);
#endif
