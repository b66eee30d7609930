/* Streams: a filter that takes samples as they come, in C. stream.c reads and prints the text, partition.c chooses
 * blocks, schedule.c spreads the work over calls, source.c writes it. */
#ifndef FG_STREAM_H
#define FG_STREAM_H
#include "generator/bundle/bundle.h"

enum {
  FG_STREAM_LEVELS = 12,
  FG_STREAM_CHANNELS = 64,
  FG_STREAM_EVEN = 8 /* of the worst call an eighth counts, beside the mean */
};

/* A part of the filter in blocks of one length: each block's transform is multiplied by the spectra of `parts` pieces
 * of the filter and those before it. */
typedef struct fg_stream_level {
  int64_t block, parts; /* samples of a block; pieces */
  int64_t first, taps;  /* the first of its taps; those of a piece */
  int64_t points;       /* of the transforms */
  bool fused;           /* one piece: forward, product and backward are one kernel */
  int64_t ticks;        /* block, in blocks of level 0 */
  int64_t wait;         /* ticks from a complete block until its result is wanted */
  int64_t window;       /* ticks over which its work is spread */
} fg_stream_level;

typedef struct fg_stream {
  bool is_complex;
  fg_precision precision;
  int64_t taps;
  int channels;
  bool own_filters; /* each channel has its own */
  bool overlap_add; /* else overlap-save */
  bool planar;      /* a channel's samples are an array; else frames of all channels */
  int64_t latency;  /* most samples of it; -1: any */
  int64_t block;    /* asked for; 0: not */
  int64_t head;     /* taps that are applied directly, sample by sample: no latency */
  int nlevel;       /* 0: still to be chosen */
  fg_stream_level level[FG_STREAM_LEVELS];
} fg_stream;

/* A unit of work: an operation on one channel and level. */
typedef enum fg_stream_op { FG_STREAM_FORWARD, FG_STREAM_SUM, FG_STREAM_BACKWARD, FG_STREAM_FUSED } fg_stream_op;
typedef struct fg_stream_task {
  fg_stream_op op;
  int channel;
  int64_t from, count; /* of bins of a sum */
  int64_t part, parts; /* of pieces of a sum; the first ones begin it */
  double cost;
  int64_t phase; /* tick behind the complete block */
} fg_stream_task;
typedef struct fg_stream_schedule {
  int ntask[FG_STREAM_LEVELS];
  fg_stream_task *task[FG_STREAM_LEVELS]; /* by phase */
  double mean, worst;                     /* cost of a tick */
} fg_stream_schedule;

/* What is expected of kernels, in the cost model's unit; nan: there is none. */
typedef struct fg_stream_costs {
  double forward[FG_STREAM_LEVELS], backward[FG_STREAM_LEVELS], fused[FG_STREAM_LEVELS];
  double bin; /* one product of a sum */
  double tap; /* one of a direct filter */
} fg_stream_costs;

typedef struct fg_stream_request {
  fg_stream stream;
  const char *name; /* of the files, and the start of every symbol */
  const fg_isa *isa[FG_BUNDLE_ISAS];
  int nisa;
  const fg_machine *machine;
  const char *command;
} fg_stream_request;

/* ---- stream.c ---- */
fg_status fg_stream_parse(fg_context *cx, const char *text, fg_stream *out);
const char *fg_stream_print(fg_context *cx, const fg_stream *s);
/* Samples by which the output is late. */
int64_t fg_stream_latency(const fg_stream *s);

/* ---- partition.c: chooses what the text leaves open, by the cost model ---- */
fg_status fg_stream_choose(fg_context *cx, fg_stream_request *r);
/* The `most` cheapest choices, the cheapest first. */
fg_status fg_stream_candidates(fg_context *cx, const fg_stream_request *r, int most, fg_stream *out, int *count);

/* ---- source.c ---- */
/* NAME.c, NAME.h; r's stream has its levels. */
fg_status fg_stream_create(fg_context *cx, const fg_stream_request *r, fg_file out[2]);
#endif
