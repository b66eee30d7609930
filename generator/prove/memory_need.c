/* An estimate of memory. In: a program, and the extent of its walk. Out: about how many bytes that takes, and how
 * many are available. The idea: two parts grow with the transform, values that a later kernel or the caller needs,
 * and records of accesses to memory that the present kernel stores to. */
#include "generator/problem/shape.h"
#include "generator/prove/attempt.h"
#include "generator/prove/memory.h"
#include "generator/reference/checksum.h"
#include "targets/number.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Bytes that were seen: of a table's entry that is a transform's result, while it is made; of an element that is
 * compared by itself, and of a point of the longest transform on the way there. */
enum { SPECTRUM = 40, RESULT = 160, SEQUENCE = 180 };

#define MARGIN 1.2 /* seen, too: notes of each thread's blocks, pages used in part */

/* Transforms near the ends of all dimensions of the batch. */
static double walked(const fg_problem *q, const int64_t *params, int64_t ends) {
  double count = 1;
  for (int i = 0; i < q->batch_rank; i++) {
    int64_t n = fg_num_value(q->batch[i].n, params);
    count *= (double)(ends && n > 2 * ends && i >= q->summed ? 2 * ends : n);
  }
  return count;
}

/* Elements of the pages of one side's memory that are turned to: those between elements count,
 * too, but where elements alone have places. */
static double side_elements(const fg_problem *q, const int64_t *params, bool output, double transforms, bool packed) {
  double all = 1, one = 1;
  for (int i = 0; i < q->batch_rank + q->rank; i++) {
    const fg_dim *d = fg_problem_axis(q, i);
    int64_t n = fg_problem_axis_length(q, i, output, params);
    double span = fabs((double)(n - 1) * (double)fg_num_value(output ? d->os : d->is, params));
    all += span;
    if (i >= q->batch_rank) one += span;
  }
  double touched = transforms * (double)fg_problem_elements(q, output) * (packed ? 1 : FG_PAGE);
  return fmin(all, fmin(transforms * one, touched));
}

typedef struct use { /* of the memory of a root */
  double elements;
  int first, last; /* kernels */
} use;

static void add_use(const fg_program *p, int b, double elements, use *u) {
  const fg_buffer *x = &p->buffer[b];
  u->elements = fmax(u->elements, elements);
  if (x->used.first < u->first) u->first = x->used.first;
  if (x->used.last > u->last) u->last = x->used.last;
  if (x->space != FG_SPACE_WORK) u->last = p->nkernel - 1; /* the caller's, and blocks' own, stay */
}

static bool stores_to(const fg_program *p, int kernel, int root) {
  for (int s = 0; s < p->kernel[kernel]->nstage; s++) {
    int b = p->kernel[kernel]->stage[s].store.buffer;
    if (b >= 0 && b < p->nbuffer && fg_program_root(p, b) == root) return true;
  }
  return false;
}

/* Kinds of notes about a CPU's memory, for how many threads may cut its loops. */
static int kinds_of_parts(const fg_program *p, int kernel) {
  bool inside = false;
  for (int s = 0; s < p->kernel[kernel]->nstage; s++) inside |= p->kernel[kernel]->stage[s].vectors.part > 0;
  return (p->kernel[kernel]->vectors.part > 0) + inside;
}

/* While a kernel runs; of a queue, all of its kernels. */
static double at_kernel(const fg_program *p, int k, const use *uses, int primes) {
  double bytes = 0;
  int joined = fg_queue_joined(&p->queue);
  bool queue = k < joined;
  for (int b = 0; b < p->nbuffer; b++) {
    const use *u = &uses[b];
    if (!u->elements || u->first > (queue ? joined - 1 : k) || u->last < (queue ? 0 : k)) continue;
    bool written = stores_to(p, k, b);
    for (int i = 0; queue && i < joined; i++) written = written || stores_to(p, i, b);
    int parts = fg_buffer_parts(&p->buffer[b]),
        kinds = fg_walk_has_threads(p) ? 1 : kinds_of_parts(p, k); /* of notes */
    bytes += u->elements * (parts * (1 + primes * (double)sizeof(fg_gf)) + written * kinds * (double)sizeof(fg_touch));
  }
  return bytes;
}

/* Where results have no weighted sum, each is compared: a transform of a sequence that repeats its inputs. */
static double reference(const fg_problem *q) {
  double longest = 0;
  bool repeats = q->kind != FG_C2C && q->kind != FG_R2C && q->kind != FG_C2R;
  if (fg_sums_possible(q)) return 0;
  for (int i = 0; i < q->rank; i++) longest = fmax(longest, (double)q->dim[i].n.n * (repeats ? 4 : 1));
  return (double)fg_problem_points(q) * RESULT + longest * SEQUENCE;
}

double fg_prove_memory_of_walk(const fg_program *p, const int64_t *params, int64_t ends, int primes) {
  const fg_problem *q = &p->problem;
  double transforms = walked(q, params, ends), part = transforms / (double)fg_problem_batch_count(q, params);
  double points = (double)fg_problem_points(q), tables = 0, most = 0;
  use uses[FG_MAX_BUFFERS];
  for (int b = 0; b < p->nbuffer; b++) uses[b] = (use){0, p->nkernel, -1};
  for (int b = 0; b < p->nbuffer; b++) {
    const fg_buffer *x = &p->buffer[b];
    int root = fg_program_root(p, b);
    double size = (double)x->size;
    if (fg_program_is_constant(p, b)) {
      bool transformed = x->table >= 0 && x->table < p->ntable && p->table[x->table].fill >= FG_FILL_BLUESTEIN;
      tables += size * ((double)sizeof(fg_gfc) + (transformed ? SPECTRUM : 0)) * primes;
    } else if (b == FG_BUFFER_OUT || (b == FG_BUFFER_IN && q->in_place)) {
      bool packed = fg_ram_packs(p, params, b);
      add_use(p, b, side_elements(q, params, packed || b == FG_BUFFER_OUT, transforms, packed), &uses[root]);
    } else if (p->buffer[root].space == FG_SPACE_WORK) {
      add_use(p, b, size > transforms * points ? fmax(size * part, transforms * points) : size, &uses[root]);
    } else { /* shared memory; views of the caller's */
      add_use(p, b, p->buffer[root].space == FG_SPACE_LOCAL ? size : 0, &uses[root]);
    }
  }
  for (int k = 0; k < p->nkernel; k++) most = fmax(most, at_kernel(p, k, uses, primes));
  return tables + most * MARGIN + reference(q);
}

/* ---- what there is --------------------------------------------------------------------- */

/* The number in a file behind a word; INFINITY: there is none. */
static double number_in(const char *file, const char *word) {
  char text[128], *end = text;
  double number = INFINITY;
  FILE *f = fopen(file, "r");
  while (f && isinf(number) && fgets(text, sizeof text, f)) {
    if (strncmp(text, word, strlen(word)) != 0) continue;
    double value = fg_number_read(text + strlen(word), &end);
    if (end != text + strlen(word)) number = value;
  }
  if (f) fclose(f);
  return number;
}

double fg_prove_memory_free(void) {
  double have = number_in("/proc/meminfo", "MemAvailable:") * 1024;
  if (isinf(have)) have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  double most = number_in("/sys/fs/cgroup/memory.max", ""), used = number_in("/sys/fs/cgroup/memory.current", "");
  if (!isinf(most) && !isinf(used)) have = fmin(have, most - used);
  struct rlimit limit;
  double mapped = number_in("/proc/self/statm", "") * (double)sysconf(_SC_PAGESIZE);
  if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY && !isinf(mapped))
    have = fmin(have, (double)limit.rlim_cur - mapped);
  return have;
}
