/* Bench: one problem, compiled, verified, timed alternately with FFTW on the same arrays, A B A B, so that
 * disturbances of the machine affect both. Only verified programs are timed. */
#ifndef FG_BENCH_H
#define FG_BENCH_H
#include "generator/pipeline/pipeline.h"
#include "tuning/baselines/fftw.h"
#include "tuning/measure/verify.h"

typedef struct fg_bench_options {
  const int64_t *params; /* values of the run-time parameters; NULL: the lowest (fg_settings_lowest) */
  double seconds;        /* for each of ours and FFTW's; 0: 0.2 */
  int rounds;            /* of A B; 0: 5 */
  fg_effort effort;      /* FFTW's planning */
  bool no_peer;
  uint64_t seed;
} fg_bench_options;

typedef struct fg_bench {
  const char *problem, *plan, *device; /* texts, in cx's arena */
  fg_device_facts facts;
  const char *isa; /* "" where there is none */
  fg_verified verified;
  double ns, gflops;    /* of one call; 5 N log2 N per transform */
  double ns_spread;     /* (largest - smallest) / median over the rounds */
  double build_seconds; /* of the device's compiler */
  bool has_peer;        /* FFTW takes part (CPU devices) */
  double peer_ns, peer_gflops, peer_l2;
  double ratio;         /* peer_ns / ns: above 1 is faster than FFTW */
  double copy_ns;       /* copying input to output, the same bytes, on this device */
  double copy_fraction; /* copy_ns / ns: 1 is the limit of one pass through memory */
  int64_t bytes;        /* of input plus output */
  int nfallback;        /* slow ways that the program took */
  const char *const *fallback;
} fg_bench;

/* c: through fg_pipeline_emit, with request.entry, for d's dialect. FG_EWRONG
 * when verification fails, FG_ESYS when the device does. */
fg_status fg_bench_run(fg_compilation *c, const fg_device *d, const fg_bench_options *options, fg_bench *out);
#endif
