/* Frames of a signal: short-time transforms, and lapped ones of several frames. */
#ifndef FG_PROBLEM_FRAMES_H
#define FG_PROBLEM_FRAMES_H
#include "generator/problem/problem.h"

/* The first dimension of n counts frames, and is not transformed. */
bool fg_problem_has_frames(const fg_problem *p);
/* That side is the signal, whose samples several frames have. */
bool fg_problem_is_signal(const fg_problem *p, bool output);
int64_t fg_problem_hop(const fg_problem *p);           /* samples from one frame to the next */
int64_t fg_problem_frame(const fg_problem *p);         /* samples of a frame */
int64_t fg_problem_signal_length(const fg_problem *p); /* samples that the array has */
int64_t fg_problem_signal_first(const fg_problem *p);  /* where the array begins, from the first frame's beginning */
const fg_pointwise *fg_problem_centred(const fg_problem *p); /* centre, reflect; NULL: none */
bool fg_problem_reflects(const fg_problem *p);
/* norm: the window whose squares it divides by, and its place in store=; NULL: none. */
const fg_pointwise *fg_problem_norm_window(const fg_problem *p);
/* Points of a window along a dimension: n, of lapped transforms' samples 2n, of frames' numbers 1. */
int64_t fg_problem_window_points(const fg_problem *p, int dimension, bool output);
/* n of scale= and of expressions: all points of a transform, or of a frame. */
int64_t fg_problem_scale_points(const fg_problem *p);
fg_status fg_problem_check_frames(fg_context *cx, const fg_problem *p);
#endif
