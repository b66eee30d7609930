/* Spellings of exchanges between the lanes of a warp, of 32 threads. */
#ifndef FG_TARGETS_FORMS_LANE_H
#define FG_TARGETS_FORMS_LANE_H

/* All lanes of a warp come to it. */
typedef struct fg_lane_form {
  const char *preamble; /* the function fftgen_from_lane(x, bits): x of the lane whose number differs in these bits */
  const char *launched; /* of launchers that call kernels: what they say of one with such exchanges; NULL: nothing */
  const char *space;    /* before the type of a pointer to a thread's own array */
} fg_lane_form;
#endif
