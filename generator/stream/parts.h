/* Declarations that the files of stream share. */
#ifndef FG_STREAM_PARTS_H
#define FG_STREAM_PARTS_H
#include "generator/stream/stream.h"

/* Levels from blocks and parts: taps, points, ticks. False: what does not fit is in `why`. */
bool fg_stream_lay_out(fg_context *cx, fg_stream *s, const char **why);
/* The problem of a level's kernel. */
const char *fg_stream_problem(fg_context *cx, const fg_stream *s, const fg_stream_level *l, fg_stream_op op);
/* Complex numbers of a spectrum, and the numbers between its real and imaginary parts: whole cache lines. */
int64_t fg_stream_bins(const fg_stream *s, const fg_stream_level *l);
int64_t fg_stream_padded(const fg_stream *s, int64_t numbers);

/* ---- schedule.c ---- */
fg_status fg_stream_plan_work(fg_context *cx, const fg_stream *s, const fg_stream_costs *costs,
                              fg_stream_schedule *out);

/* ---- partition.c ---- */
fg_status fg_stream_costs_of(fg_context *cx, const fg_stream_request *r, const fg_stream *s, fg_stream_costs *out);
#endif
