/* Values by sample: what is proved so is what walking everything proves. Right programs hold and say what was walked;
 * of random faults in programs of a size that can be walked in full, the sample lets none through that the full walk
 * finds; faults planted in a large program are caught there. */
#include "generator/prove/block_sample.h"
#include "generator/prove/prove_parts.h"
#include "tests/unit/mutate.h"
#include "tests/unit/pace.h"
#include "tests/unit/proving.h"
#include <stdio.h>
#include <stdlib.h>

enum { MUTANTS = 160 };

#define OF_GPU(bytes)                                                                                                  \
  {                                                                                                                    \
    .threads = true, .lanes = 1, .registers = 128, .max_threads = 1024, .local_bytes = (bytes), .queue = true,         \
    .fma = true, .one_source = true                                                                                    \
  }
static const fg_mapping gpu = OF_GPU(200 << 10), little = OF_GPU(2048); /* which makes passes of a plan */
static const fg_mapping avx2 = {.lanes = 8, .registers = 16, .fma = true, .one_source = true};

static const struct sample {
  const char *problem, *plan;
  const fg_mapping *mapping;
} samples[] = {
    {"c2c f32 n=262144", "four-step(stockham(32,16), stockham(32,16))", &gpu},
    {"c2c f32 n=32x32x32", "nd(stockham(8,4), stockham(4,8), stockham(8,4))", &gpu},
    {"c2c f32 n=32x64x32 place=in sign=+1", "nd(stockham(8,4), stockham(8,8), direct(32))", &gpu},
    {"r2c f32 n=32x32x64", "nd(stockham(8,4), stockham(8,4), real(4, stockham(4,4)))", &gpu},
    {"r2c f32 n=64 batch=4096", "four-step(direct(8), stockham(4,2))", &gpu},
    {"c2c f32 n=64x64 batch=20", "nd(stockham(8,8), stockham(8,8))", &gpu},
    /* In place: what a later block loads, others of its kernel have stored elsewhere; queues. */
    {"c2c f32 n=64x64x32 place=in", "nd(stockham(8,8), stockham(8,8), stockham(8,4))", &little},
    {"c2c f32 n=32x48x32 place=in",
     "nd(stockham(8,4), stockham(8,6), stockham(8,4); tile=8, rows=8, threads=32, queue=2)", &gpu},
    {"c2c f32 n=32x48x32 place=in",
     "nd(stockham(8,4), stockham(8,6), stockham(8,4); tile=8, rows=8, threads=32, queue=2, swap=1, early=2)", &gpu},
    /* Half of the inputs, half of the results, in place, too; arrays with gaps. */
    {"c2r f32 n=32x32x128", "nd(stockham(8,4), stockham(4,8), real(4, stockham(8,4)))", &gpu},
    {"c2r f32 n=16x32x64 place=in", "nd(stockham(4,4), stockham(8,4), real(4, stockham(4,4)))", &gpu},
    {"r2c f32 n=32x32x64 place=in", "nd(stockham(8,4), stockham(8,4), real(4, stockham(4,4)))", &gpu},
    {"c2c f32 n=32:1100:1100x32:34:34x32:1:1 batch=3:40000:40000", "nd(stockham(8,4), stockham(4,8), stockham(8,4))",
     &gpu},
    /* Last tiles that are cut, in both orders of digits, on several dimensions, in place; conditions of stages. */
    {"c2c f32 n=36x36x36", "nd(stockham(6,6), stockham(6,6), stockham(6,6); tile=8, uneven=on)", &gpu},
    {"c2c f32 n=20x30x50 place=in sign=+1", "nd(stockham(4,5), stockham(6,5), stockham(10,5); tile=16, uneven=on)",
     &gpu},
    {"r2c f32 n=32x32x72", "nd(stockham(8,4), stockham(8,4), real(4, stockham(6,3)); tile=8, uneven=on)", &gpu},
    {"c2r f32 n=30x32x72", "nd(stockham(6,5), stockham(8,4), real(4, stockham(6,3)); tile=8, uneven=on)", &gpu},
    {"c2c f32 n=270000", "four-step(stockham(20,25), stockham(20,27); tile=16, rows=16)", &gpu},
    /* The last dimension's inputs alone are few. */
    {"c2r f32 n=120x220", "nd(stockham(12,10), real(4, stockham(11,5)); tile=2)", &gpu},
    /* Convolutions: the product in a codelet, or at loads; one spectrum, or many; scaled. */
    {"conv f32 n=64x32x32", "nd(stockham(8,8), stockham(4,8), convolve(stockham(8,4)))", &gpu},
    {"conv f32 n=30x50 batch=20 spectrum=each", "nd(stockham(6,5), convolve(stockham(10,5)); tile=4)", &gpu},
    {"conv f32 n=48x36 batch=2x9 spectrum=channel scale=1/n",
     "nd(stockham(8,6), convolve(stockham(6,6)); tile=8, uneven=on)", &gpu},
    {"rconv f32 n=30x24x36", "nd(convolve(stockham(6,5)), stockham(6,4), real(4, stockham(3,3)); tile=8, uneven=on)",
     &gpu},
    {"rconv f32 n=64x520 scale=1/n spectrum=conj",
     "nd(convolve(stockham(8,8)), real(4, stockham(13,10)); tile=4, uneven=on)", &gpu},
    {"conv f32 n=262144", "convolve(four-step(stockham(32,16), stockham(32,16)))", &gpu},
    {"rconv f32 n=270000", "convolve(four-step(stockham(20,25), stockham(27,20)))", &gpu},
    /* Operations on single elements: loads that are factors, any stores. */
    {"conv f32 n=64x32x32 load=mul(each) store=x*0.5", "nd(stockham(8,8), stockham(4,8), convolve(stockham(8,4)))",
     &gpu},
    {"rconv f32 n=30x24x36 load=window(hann) store=abs(x)",
     "nd(convolve(stockham(6,5)), stockham(6,4), real(4, stockham(3,3)); tile=8, uneven=on)", &gpu},
    {"c2c f32 n=262144 load=x*0.5,mul(each) store=mul(each) scale=1/n", "four-step(stockham(32,16), stockham(32,16))",
     &gpu},
    /* Arrays of some elements, in another order; real results. */
    {"conv f32 n=64x64x32 load=zeropad(40x30x32) store=crop(2:40x30x32)",
     "nd(stockham(8,8), stockham(8,8), convolve(stockham(8,4)))", &gpu},
    {"c2c f32 n=262144 load=zeropad(7:200000) store=mag2", "four-step(stockham(32,16), stockham(32,16))", &gpu},
    {"r2c f32 n=32x32x64 load=zeropad(20x32x50) store=crop(32x20x33),mag",
     "nd(stockham(8,4), stockham(4,8), real(4, stockham(4,4)))", &avx2},
    {"rconv f32 n=270000 load=zeropad(100000)", "convolve(four-step(stockham(20,25), stockham(27,20)))", &gpu},
    {"c2r f32 n=32x32x128 load=zeropad(32x20x65) store=x*x", "nd(stockham(8,4), stockham(4,8), real(4, stockham(8,4)))",
     &gpu},
    {"c2c f32 n=65521 load=zeropad(40000) store=mag2", "bluestein(131072, four-step(stockham(32,16), stockham(16,16)))",
     &gpu},
    {"r2c f32 n=32x32x64 load=mul(each)", "nd(stockham(8,4), stockham(4,8), real(4, stockham(4,4)))", &avx2},
    /* CPUs: blocks are loops; vectors, and numbers in other orders. */
    {"c2c f32 n=262144", "four-step(stockham(32,16), stockham(32,16); tile=16, rows=16)", &avx2},
    {"c2c f32 n=262144 place=in", "four-step(stockham(32,16), stockham(32,16); tile=16, rows=16)", &avx2},
    {"c2c f32 n=32x32x32", "nd(stockham(8,4), stockham(4,8), stockham(8,4))", &avx2},
    {"c2c f32 n=32x64x32 place=in", "nd(stockham(8,4), stockham(8,8), stockham(8,4))", &scalar},
    {"r2c f32 n=32x32x64", "nd(stockham(8,4), stockham(4,8), real(4, stockham(4,4)))", &avx2},
    {"r2c f32 n=32x32x64 place=in", "nd(stockham(8,4), stockham(4,8), real(4, stockham(4,4)))", &avx2},
    {"c2r f32 n=32x32x128", "nd(stockham(8,4), stockham(4,8), real(4, stockham(8,4)))", &avx2},
    {"c2r f32 n=32x32x128 place=in", "nd(stockham(8,4), stockham(4,8), real(4, stockham(8,4)))", &scalar},
    /* Tiles cut into their stages: loops that some of them share, last vectors that overlap, strides that calls say. */
    {"c2c f32 n=65536", "four-step(stockham(4,8,8), stockham(4,8,8))", &avx2},
    {"c2c f32 n=65536:is[1..3]:1", "four-step(stockham(8,8,4), stockham(16,16))", &avx2},
    {"c2c f32 n=65536 place=in sign=+1", "four-step(stockham(16,16), stockham(4,8,8))", &avx2},
    {"c2c f32 n=62500", "four-step(stockham(10,25), stockham(10,25))", &avx2},
    {"r2c f32 n=131072", "real(8, four-step(stockham(8,8,8), direct(32)))", &avx2},
    {"conv f32 n=65536", "convolve(four-step(stockham(16,16), stockham(8,4,8)))", &avx2},
    {"rconv f32 n=131072", "convolve(real(8, four-step(stockham(16,16), direct(64))))", &avx2},
    {"c2c f32 n=65536", "four-step(stockham(16,16), stockham(4,8,8))", &scalar},
    /* Stages whose loops are blocks; some of which do once more what others have done. */
    {"c2c f32 n=65536", "stockham(16,16,16,16)", &avx2},
    {"c2c f32 n=28561", "stockham(13,13,13,13)", &avx2},
    {"r2c f32 n=65536", "real(8, stockham(8,8,16,8))", &avx2},
    {"c2r f32 n=65536", "real(8, stockham(8,8,16,8))", &avx2},
    {"c2c f32 n=65521", "bluestein(131072, stockham(8,8,8,8,4,8))", &avx2},
    {"c2c f32 n=65521 sign=+1", "bluestein(131072, stockham(8,8,8,8,4,8))", &scalar},
    /* Bluestein's algorithm: any spectrum in place of the chirp's. */
    {"c2c f32 n=65521", "bluestein(131072, four-step(stockham(32,16), stockham(16,16)))", &gpu},
    {"c2c f32 n=65521 place=in sign=+1 scale=1/n", "bluestein(131072, four-step(stockham(32,16), stockham(16,16)))",
     &gpu},
    {"c2c f32 n=16381 batch=5", "bluestein(32768, four-step(stockham(16,8), stockham(16,16)))", &gpu},
    {"r2c f32 n=65521", "bluestein(131072, stockham(32,16,16,16))", &gpu},
    {"c2r f32 n=65521 batch=2 scale=1/n", "bluestein(131072, stockham(32,16,16,16))", &gpu},
    {"r2c f32 n=65521", "bluestein(131072, stockham(8,8,8,8,4,8))", &avx2},
    {"c2r f32 n=65521", "bluestein(131072, stockham(8,8,8,8,4,8))", &scalar},
    {"c2c f32 n=65522", "bluestein(131072, four-step(stockham(32,16), stockham(16,16)))", &avx2},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static fg_program *program_of(const struct sample *s) { return assembled_for(s->problem, s->plan, s->mapping); }

static fg_proof prove_from(fg_context *cx, const fg_program *p, int64_t from, fg_status *status) {
  fg_proof proof = {.proved = false};
  *status = fg_prove_from(cx, p, 5, from, &proof);
  return proof;
}

static bool is_sampled(const fg_proof *proof) { return strstr(proof->walked, "addresses of all") != NULL; }

/* ---- right ones ------------------------------------------------------------------------- */

static void right_programs_hold(void **state) {
  (void)state;
  for (int i = 0; i < SAMPLES; i++) {
    fg_status status;
    if (is_left_out(i, 3)) continue;
    fg_proof proof = prove_from(&context, program_of(&samples[i]), 1, &status);
    assert_int_equal(status, FG_OK);
    if (!proof.proved) fail_msg("%s: %s", samples[i].problem, proof.failure);
    if (!is_sampled(&proof)) fail_msg("%s was walked in full: %s", samples[i].problem, proof.walked);
  }
}

/* Where blocks differ in more than their bases, everything is walked. */
static void uneven_blocks_are_walked_in_full(void **state) {
  (void)state;
  static const struct sample uneven[] = {{"c2c f32 n=100x77", "nd(stockham(10,10), stockham(7,11))", &gpu},
                                         {"c2c f32 n=64:1:1x64:64:64", "nd(stockham(8,8), stockham(8,8))", &gpu},
                                         {"c2c f32 n=509", "bluestein(1024, stockham(32,32))", &gpu}};
  for (int i = 0; i < 3; i++) {
    fg_status status;
    fg_proof proof = prove_from(&context, assembled_for(uneven[i].problem, uneven[i].plan, &gpu), 1, &status);
    assert_int_equal(status, FG_OK);
    if (!proof.proved || is_sampled(&proof)) fail_msg("%s: %s, %s", uneven[i].problem, proof.failure, proof.walked);
  }
}

/* ---- faults by chance ---------------------------------------------------------------------- */

typedef struct counts {
  int made, sampled, caught, missed;
} counts;

/* One that the sample proves must be proved by the full walk. */
static void decide(fg_context *cx, const fg_program *mutant, const char *what, counts *c) {
  fg_status status;
  fg_proof proof = prove_from(cx, mutant, 1, &status);
  c->made++;
  if (status != FG_OK || !proof.proved) {
    c->caught++;
    return;
  }
  if (!is_sampled(&proof)) return;
  c->sampled++;
  fg_proof full = prove_from(cx, mutant, INT64_MAX, &status);
  if (status == FG_OK && full.proved) return;
  c->missed++;
  printf("  MISSED: %s: %s: %s\n", mutant->problem.in_place ? "in place" : "", what, full.failure);
}

static void no_fault_is_let_through(void **state) {
  (void)state;
  const char *wanted = getenv("FFTGEN_MUTANTS");
  int count = wanted ? atoi(wanted) : IS_WATCHED ? MUTANTS / 4 : MUTANTS;
  fg_program *base[SAMPLES];
  counts c = {0};
  long day = drawn_day();
  uint64_t random = 31 + (uint64_t)day;
  printf("  drawn by FFTGEN_SEED=%ld\n", day);
  for (int i = 0; i < SAMPLES; i++) base[i] = program_of(&samples[i]);
  for (int i = 0; i < count; i++) {
    fg_context cx = {.arena = fg_arena_create()};
    char what[160];
    fg_program *mutant =
        mutate_program(&cx, base[i % SAMPLES], (mutation)((i + i / SAMPLES + day) % MUTATION_COUNT), &random, what);
    if (mutant) decide(&cx, mutant, what, &c);
    fg_arena_destroy(cx.arena);
  }
  printf("  %d made, %d caught, %d proved by sample, %d missed\n", c.made, c.caught, c.sampled, c.missed);
  assert_int_equal(c.missed, 0);
  assert_true(c.caught > c.made / 2);
}

/* ---- faults in a large program ---------------------------------------------------------------- */

typedef struct fault {
  const char *what, *words;
  void (*plant)(fg_program *p);
} fault;

static fg_affine *global_address(fg_program *p, int kernel, bool store) {
  fg_kernel *k = p->kernel[kernel];
  return store ? &k->stage[k->nstage - 1].store.index.at : &k->stage[0].load.index.at;
}

/* The last kernel's stage of columns: its factors' table. */
static fg_table *factors(fg_program *p) {
  fg_table *largest = NULL;
  for (int i = 0; i < p->ntable; i++)
    if (!largest || p->table[i].order > largest->order) largest = &p->table[i];
  return largest;
}

static void other_half_of_factors(fg_program *p) { factors(p)->fold = factors(p)->cols / 2; }
static void factors_by_one_column(fg_program *p) { factors(p)->col0++; }

/* Of a block's digit: by one element more. */
static void wrong_stride(fg_program *p, int kernel, bool store, int64_t by) {
  fg_affine *a = global_address(p, kernel, store);
  for (int t = 0; t < a->nterm; t++)
    if (p->kernel[kernel]->digit[a->term[t].digit].role == FG_ROLE_BLOCK) {
      a->term[t].coef.n += by;
      return;
    }
}

static void groups_overlap(fg_program *p) { wrong_stride(p, p->nkernel - 1, true, -1); }
static void rows_read_twice(fg_program *p) {
  fg_affine *a = global_address(p, p->nkernel - 1, false);
  for (int t = 0; t < a->nterm; t++)
    if (p->kernel[p->nkernel - 1]->digit[a->term[t].digit].role == FG_ROLE_BLOCK) a->term[t].coef.n /= 2;
}
static void beyond_the_end(fg_program *p) { wrong_stride(p, 0, false, 1); }

/* Two digits that are not neighbours change places, of blocks alone or any: the same elements, in another order. */
static void digits_change_places(fg_program *p, int kernel, bool store, bool of_blocks) {
  fg_affine *a = global_address(p, kernel, store);
  int64_t most = 0;
  int x = 0, y = 0;
  for (int i = 0; i < a->nterm; i++)
    for (int j = 0; j < i; j++) {
      const fg_digit *d = p->kernel[kernel]->digit;
      bool same = d[a->term[i].digit].extent.n == d[a->term[j].digit].extent.n;
      same = same &&
             (!of_blocks || (d[a->term[i].digit].role == FG_ROLE_BLOCK && d[a->term[j].digit].role == FG_ROLE_BLOCK));
      if (same && a->term[i].coef.n + a->term[j].coef.n > most)
        most = a->term[i].coef.n + a->term[j].coef.n, x = i, y = j;
    }
  int64_t coef = a->term[x].coef.n;
  a->term[x].coef.n = a->term[y].coef.n;
  a->term[y].coef.n = coef;
}

static void threads_change_places(fg_program *p) { digits_change_places(p, 0, false, false); }
static void tiles_change_places(fg_program *p) { digits_change_places(p, 1, true, true); }

static const fault faults[] = {
    {"factors of the upper half of columns", "not that of the DFT", other_half_of_factors},
    {"factors of the next column", "not that of the DFT", factors_by_one_column},
    {"overlap of two groups", "two blocks store to one element", groups_overlap},
    {"a wrong stride", "", rows_read_twice},
    {"a block beyond the end", "no element of", beyond_the_end},
    {"digits in each other's place", "not that of the DFT", threads_change_places},
};

static void planted_faults_are_caught(void **state) {
  (void)state;
  const char *problem = "c2c f32 n=4194304", *plan = "four-step(stockham(32,32), stockham(16,16,16))";
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    fg_program *p = assembled_for(problem, plan, &gpu);
    fg_proof right = proof_of(p);
    if (!right.proved || !is_sampled(&right)) fail_msg("%s: %s", right.failure, right.walked);
    faults[i].plant(p);
    fg_proof proof = proof_of(p);
    if (proof.proved) fail_msg("%s is not caught: %s", faults[i].what, proof.walked);
    if (!strstr(proof.failure, faults[i].words)) fail_msg("%s: \"%s\"", faults[i].what, proof.failure);
  }
}

/* ---- faults at the last tile ------------------------------------------------------------------- */

/* The condition by which the last tile of a kernel's columns ends. */
static fg_pred *end_of_tiles(fg_program *p, bool store) {
  for (int k = p->nkernel - 1; k >= 0; k--) {
    fg_kernel *x = p->kernel[k];
    fg_access *a = store ? &x->stage[x->nstage - 1].store : &x->stage[0].load;
    for (int i = 0; i < a->npred; i++)
      for (int t = 0; t < a->pred[i].value.nterm; t++)
        if (x->digit[a->pred[i].value.term[t].digit].role == FG_ROLE_BLOCK) return &a->pred[i];
  }
  fail_msg("no kernel has a last tile");
  return NULL;
}

static void last_tile_loads_less(fg_program *p) { end_of_tiles(p, false)->bound.n--; }
static void last_tile_stores_less(fg_program *p) { end_of_tiles(p, true)->bound.n--; }
static void last_tile_goes_on(fg_program *p) {
  end_of_tiles(p, false)->bound.n++;
  end_of_tiles(p, true)->bound.n++;
}

/* Of the kernel with tiles, the digit that counts them. */
static fg_digit *tiles_of(fg_program *p, fg_kernel **of) {
  for (int k = p->nkernel - 1; k >= 0; k--) {
    const fg_access *a = &p->kernel[k]->stage[0].load;
    for (int t = 0; a->npred && t < a->pred[0].value.nterm; t++) {
      fg_digit *d = &p->kernel[k]->digit[a->pred[0].value.term[t].digit];
      *of = p->kernel[k];
      if (d->role == FG_ROLE_BLOCK) return d;
    }
  }
  fail_msg("no kernel has tiles");
  return NULL;
}

/* Tiles are nearer to each other, by one column, than they are long. */
static void last_tile_overlaps(fg_program *p) {
  fg_kernel *k = NULL;
  fg_digit *d = tiles_of(p, &k);
  fg_access *a[] = {&k->stage[0].load, &k->stage[k->nstage - 1].store};
  for (int i = 0; i < 2; i++)
    for (int t = 0; t < a[i]->index.at.nterm; t++)
      if (&k->digit[a[i]->index.at.term[t].digit] == d) a[i]->index.at.term[t].coef.n--;
}

static void last_tile_is_missing(fg_program *p) {
  fg_kernel *k = NULL;
  fg_digit *d = tiles_of(p, &k);
  d->extent.n--;
  for (int i = 0; i < k->launch.nblocks; i++)
    if (k->launch.blocks[i].n == d->extent.n + 1) k->launch.blocks[i].n--;
  for (int i = 0; i < k->nouter; i++)
    if (k->digit[k->outer[i]].div == d->extent.n + 1) k->digit[k->outer[i]].div--;
}

static const fault tails[] = {
    {"a last tile that loads a column less", "not that of the DFT", last_tile_loads_less},
    {"a last tile that stores a column less", "not that of the DFT", last_tile_stores_less},
    {"a last tile that goes on into the next row", "no element of", last_tile_goes_on},
    {"tiles that overlap", "two blocks store to one element", last_tile_overlaps},
    {"no last tile", "not that of the DFT", last_tile_is_missing},
};

static void faults_of_last_tiles_are_caught(void **state) {
  (void)state;
  static const struct sample cube = {"c2c f32 n=36x36x36",
                                     "nd(stockham(6,6), stockham(6,6), stockham(6,6); tile=8, uneven=on)", &gpu};
  for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
    fg_program *p = program_of(&cube);
    fg_status status;
    fg_proof right = prove_from(&context, p, 1, &status);
    if (!right.proved || !strstr(right.walked, "classes")) fail_msg("%s: %s", right.failure, right.walked);
    tails[i].plant(p);
    fg_proof proof = prove_from(&context, p, 1, &status);
    if (proof.proved) fail_msg("%s is not caught: %s", tails[i].what, proof.walked);
    if (!strstr(proof.failure, tails[i].words)) fail_msg("%s: \"%s\"", tails[i].what, proof.failure);
  }
}

/* A block fewer in the kernel before the last: what is in its place is from before. */
static void block_is_missing(fg_program *p) {
  fg_kernel *k = p->kernel[p->nkernel - 2];
  k->digit[k->outer[0]].extent.n--;
  k->launch.blocks[0].n--;
}

static const fault left[] = {
    {"results without a last block", "not that of the DFT", block_is_missing},
    {"results in place that are not stored", "not every output is stored", last_tile_stores_less},
};

/* Where memory is used again, or in place, what a block does not store is there all the same. */
static void what_is_left_is_caught(void **state) {
  (void)state;
  static const struct sample chirps[] = {
      {"c2c f32 n=32749", "bluestein(65536, four-step(stockham(16,16), stockham(16,16)))", &avx2},
      {"c2c f32 n=32749 place=in", "bluestein(65536, four-step(stockham(16,16), stockham(16,16)))", &gpu}};
  for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
    fg_program *p = program_of(&chirps[i]);
    fg_status status;
    fg_proof right = prove_from(&context, p, 1, &status);
    if (!right.proved || !strstr(right.walked, "of a spectrum")) fail_msg("%s: %s", right.failure, right.walked);
    left[i].plant(p);
    for (uint64_t seed = 1; seed < 9; seed++) {
      fg_proof proof = {.proved = false};
      assert_int_equal(fg_prove_from(&context, p, seed, 1, &proof), FG_OK);
      if (proof.proved) fail_msg("%s is not caught: %s", left[i].what, proof.walked);
      if (!strstr(proof.failure, left[i].words)) fail_msg("%s: \"%s\"", left[i].what, proof.failure);
    }
  }
}

/* ---- Bluestein's algorithm ----------------------------------------------------------------------- */

static fg_table *chirps_of(fg_program *p) {
  for (int t = 0; t < p->ntable; t++)
    if (p->table[t].fill == FG_FILL_BLUESTEIN) return &p->table[t];
  fail_msg("no chirp's spectrum");
  return NULL;
}

/* Any spectrum stands in the chirp's place, if it is the one that the transform needs. */
static void spectra_of_other_chirps_are_caught(void **state) {
  (void)state;
  static const struct sample chirp = {"c2c f32 n=65521",
                                      "bluestein(131072, four-step(stockham(32,16), stockham(16,16)))", &gpu};
  for (int i = 0; i < 3; i++) {
    fg_program *p = program_of(&chirp);
    fg_status status;
    fg_table *t = chirps_of(p);
    fg_proof right = prove_from(&context, p, 1, &status);
    if (!right.proved || !strstr(right.walked, "of a spectrum")) fail_msg("%s: %s", right.failure, right.walked);
    if (i == 0) t->sign = -t->sign;
    if (i == 1) t->n -= 2;
    if (i == 2) t->across = 2;
    fg_proof proof = prove_from(&context, p, 1, &status);
    if (proof.proved) fail_msg("fault %d of the spectrum is not caught: %s", i, proof.walked);
  }
}

/* ---- faults of products ------------------------------------------------------------------------- */

/* The access to the spectrum: of a codelet's factors, or of an operation at loads. */
static fg_access *spectrum_of(fg_program *p, fg_kernel **of) {
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) {
      fg_stage *x = &p->kernel[k]->stage[s];
      *of = p->kernel[k];
      if (x->factors.has_more && p->buffer[x->factors.more.buffer].space == FG_SPACE_GIVEN) return &x->factors.more;
      fg_operations *loaded = x->operations.loaded;
      for (int i = 0; loaded && i < loaded->count; i++)
        if (loaded->operation[i].has_operand) return &loaded->operation[i].operand;
    }
  fail_msg("no stage has a spectrum");
  return NULL;
}

static void change_digit(fg_program *p, bool of_block) {
  fg_kernel *k = NULL;
  fg_access *a = spectrum_of(p, &k);
  for (int t = 0; t < a->index.at.nterm; t++)
    if ((k->digit[a->index.at.term[t].digit].role == FG_ROLE_BLOCK) == of_block) {
      a->index.at.term[t].coef.n--;
      return;
    }
}

static void next_factor(fg_program *p) {
  fg_kernel *k = NULL;
  spectrum_of(p, &k)->index.at.offset.n++;
}
static void factors_of_another_block(fg_program *p) { change_digit(p, true); }
static void factors_of_another_thread(fg_program *p) { change_digit(p, false); }

static void unscaled(fg_program *p) {
  fg_kernel *k = p->kernel[p->nkernel - 1];
  k->stage[k->nstage - 1].operations.stored = NULL;
}

static const fault products[] = {{"the next factor", "", next_factor},
                                 {"another block's factors", "not that of the DFT", factors_of_another_block},
                                 {"another thread's factors", "not that of the DFT", factors_of_another_thread},
                                 {"results without the scale", "not that of the DFT", unscaled}};

/* The fault is planted, and the sample sees it, with its words. */
static void must_be_caught(fg_program *p, const fault *f) {
  fg_status status;
  f->plant(p);
  fg_proof proof = prove_from(&context, p, 1, &status);
  if (proof.proved) fail_msg("%s is not caught: %s", f->what, proof.walked);
  if (!strstr(proof.failure, f->words)) fail_msg("%s: \"%s\"", f->what, proof.failure);
}

static void faults_of_products_are_caught(void **state) {
  (void)state;
  static const struct sample convolutions[] = {
      {"conv f32 n=64x32x32 scale=1/n", "nd(stockham(8,8), stockham(4,8), convolve(stockham(8,4)))", &gpu},
      {"conv f32 n=262144 scale=1/n", "convolve(four-step(stockham(32,16), stockham(32,16)))", &gpu}};
  for (size_t i = 0; i < 2 * sizeof products / sizeof *products; i++) {
    fg_program *p = program_of(&convolutions[i % 2]);
    const fault *f = &products[i / 2];
    fg_status status;
    fg_proof right = prove_from(&context, p, 1, &status);
    if (!right.proved || !strstr(right.walked, "of a spectrum")) fail_msg("%s: %s", right.failure, right.walked);
    must_be_caught(p, f);
  }
}

/* The first access to operands of loads, or of stores. */
static fg_operation *operation_of(fg_program *p, bool store) {
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) {
      fg_stage *x = &p->kernel[k]->stage[s];
      fg_operations *o = store ? x->operations.stored : x->operations.loaded;
      for (int i = 0; o && i < o->count; i++)
        if (o->operation[i].has_operand) return &o->operation[i];
    }
  fail_msg("no operand");
  return NULL;
}

static void without_loads(fg_program *p) { p->kernel[0]->stage[0].operations.loaded = NULL; }
static void other_operand(fg_program *p) { operation_of(p, false)->operand.index.at.term[0].coef.n--; }
static void other_stored_operand(fg_program *p) { operation_of(p, true)->operand.index.at.term[0].coef.n--; }
static void operand_behind(fg_program *p) { operation_of(p, true)->operand.index.at.offset.n++; }

static const fault operated[] = {{"no operations of loads", "not that of the DFT", without_loads},
                                 {"operands of other elements", "not that of the DFT", other_operand},
                                 {"operands of other results", "not that of the DFT", other_stored_operand},
                                 {"an operand behind the array", "no element of", operand_behind},
                                 {"no operations of stores", "not that of the DFT", unscaled}};

static void faults_of_operations_are_caught(void **state) {
  (void)state;
  static const struct sample some[] = {
      {"conv f32 n=64x32x32 load=mul(each) store=mul(each)",
       "nd(stockham(8,8), stockham(4,8), convolve(stockham(8,4)))", &gpu},
      {"c2c f32 n=262144 load=mul(each) store=mul(each)", "four-step(stockham(32,16), stockham(32,16))", &gpu}};
  for (size_t i = 0; i < 2 * sizeof operated / sizeof *operated; i++) {
    fg_program *p = program_of(&some[i % 2]);
    const fault *f = &operated[i / 2];
    fg_status status;
    fg_proof right = prove_from(&context, p, 1, &status);
    if (!right.proved || !is_sampled(&right)) fail_msg("%s: %s", right.failure, right.walked);
    must_be_caught(p, f);
  }
}

/* Loads that are no factors: a sum, a square. */
static void other_operations_are_walked_in_full(void **state) {
  (void)state;
  static const char *const loads[] = {"x+1", "x*x", "conj", "x*abs(x)"};
  for (int i = 0; i < 4; i++) {
    fg_status status;
    const char *problem = fg_arena_printf(context.arena, "c2c f32 n=512x512 load=%s", loads[i]);
    fg_proof proof =
        prove_from(&context, assembled_for(problem, "nd(stockham(32,16), stockham(32,16))", &gpu), 1, &status);
    assert_int_equal(status, FG_OK);
    if (!proof.proved || is_sampled(&proof)) fail_msg("%s: %s, %s", problem, proof.failure, proof.walked);
  }
}

/* ---- faults of what few numbers go through -------------------------------------------------------- */

/* Stage `number` of those of reals' first and middle columns; NULL: there are no more. */
static fg_stage *column_stage(fg_program *p, int number) {
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++)
      if (strstr(p->kernel[k]->stage[s].what, "column") && !number--) return &p->kernel[k]->stage[s];
  return NULL;
}

/* Of many numbers along the last dimension a few have their own stage. */
static void faults_of_columns_are_caught(void **state) {
  (void)state;
  static const struct sample reals[] = {
      {"r2c f32 n=32x2800", "nd(stockham(8,4), real(4, stockham(28,25)); tile=4, uneven=on)", &gpu},
      {"c2r f32 n=32x2800", "nd(stockham(8,4), real(4, stockham(28,25)); tile=4, uneven=on)", &gpu},
      {"rconv f32 n=32x2800", "nd(convolve(stockham(8,4)), real(4, stockham(28,25)); tile=4, uneven=on)", &gpu},
      {"rconv f32 n=48x40x56", "nd(convolve(stockham(24,2)), direct(40), real(4, direct(14)); tile=16, uneven=on)",
       &gpu}};
  for (int i = 0; i < 4; i++) {
    fg_status status;
    fg_proof right = prove_from(&context, program_of(&reals[i]), 1, &status);
    if (!right.proved || !is_sampled(&right)) fail_msg("%s: %s, %s", reals[i].problem, right.failure, right.walked);
    int number = 0;
    for (;; number++) {
      fg_program *p = program_of(&reals[i]);
      fg_stage *s = column_stage(p, number / 2);
      if (!s) break;
      fg_affine *at = number % 2 ? &s->store.index.at : &s->load.index.at;
      if (!at->nterm) continue;
      at->term[0].coef.n--;
      fg_proof proof = prove_from(&context, p, 1, &status);
      if (proof.proved) fail_msg("%s: %s: a fault is not caught: %s", reals[i].problem, s->what, proof.walked);
    }
    assert_true(number >= 4);
  }
}

/* Slots of a codelet that load what others do: what is left out is zero in no walk. */
static void faults_of_inputs_left_out_are_caught(void **state) {
  (void)state;
  static const struct sample reals = {"c2r f32 n=196608 place=in", "real(12, four-step(stockham(16,32), direct(32)))",
                                      &avx2};
  fg_program *p = program_of(&reals);
  fg_status status;
  fg_proof right = prove_from(&context, p, 1, &status);
  if (!right.proved || !is_sampled(&right)) fail_msg("%s, %s", right.failure, right.walked);
  int made = 0;
  for (int k = 0; k < p->nkernel; k++)
    for (int i = 0; i < p->kernel[k]->nstage; i++) {
      const fg_stage *s = &p->kernel[k]->stage[i];
      fg_digit *d = &p->kernel[k]->digit[s->load.reg];
      if (fg_buffer_root(p, s->load.buffer) != FG_BUFFER_IN) continue;
      int64_t was = d->last;
      d->last = 3;
      fg_proof proof = prove_from(&context, p, 1, &status);
      if (proof.proved) fail_msg("%s: a fault is not caught: %s", s->what, proof.walked);
      d->last = was;
      made++;
    }
  assert_true(made >= 3);
  for (int t = 0; t < p->ntable; t++) { /* in place, a later kernel's inputs count, too */
    p->table[t].cols++;
    fg_proof proof = prove_from(&context, p, 1, &status);
    if (proof.proved) fail_msg("table %d: a fault is not caught: %s", t, proof.walked);
    p->table[t].cols--;
  }
}

/* In place, the second kernel of a queue stores where the first one loads: of its own transform alone. */
static void tiles_keep_to_their_transform(void **state) {
  (void)state;
  static const struct sample queue = {
      "c2c f32 n=32x16x128 place=in",
      "nd(stockham(8,4), stockham(4,4), stockham(16,8); tile=8, rows=8, threads=32, queue=2)", &gpu};
  fg_program *p = program_of(&queue);
  fg_status status;
  fg_proof right = prove_from(&context, p, 1, &status);
  if (!right.proved || !is_sampled(&right)) fail_msg("%s: %s", right.failure, right.walked);
  tiles_change_places(p);
  fg_proof proof = prove_from(&context, p, 1, &status);
  if (!strstr(proof.failure, "what another transform's may load")) fail_msg("\"%s\"", proof.failure);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right_programs_hold),
      cmocka_unit_test(uneven_blocks_are_walked_in_full),
      cmocka_unit_test(no_fault_is_let_through),
      cmocka_unit_test(planted_faults_are_caught),
      cmocka_unit_test(faults_of_last_tiles_are_caught),
      cmocka_unit_test(what_is_left_is_caught),
      cmocka_unit_test(spectra_of_other_chirps_are_caught),
      cmocka_unit_test(faults_of_products_are_caught),
      cmocka_unit_test(faults_of_operations_are_caught),
      cmocka_unit_test(other_operations_are_walked_in_full),
      cmocka_unit_test(faults_of_columns_are_caught),
      cmocka_unit_test(faults_of_inputs_left_out_are_caught),
      cmocka_unit_test(tiles_keep_to_their_transform),
  };
  return cmocka_run_group_tests(tests, setup_guarded, teardown);
}
