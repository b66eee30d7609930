/* libfftgen's plans for CUDA against a driver that only keeps accounts
 * (fake_cuda.c): which code is taken, what is launched on what, that executions
 * allocate nothing, workspaces and their streams, every failing call. What needs
 * NVRTC says so where it is not there. */
#include "runtime/include/fftgen/cuda.h"
#include "runtime/store/hash.h"
#include "runtime/store/line.h"
#include "runtime/store/pack.h"
#include "runtime/store/package.h"
#include "runtime/store/store.h"
#include "targets/cuda/facts.h"
#include "targets/cuda/nvrtc_api.h"
#include "tests/unit/wisdom_entry.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* fake_cuda.c */
extern int fake_calls, fake_launches, fake_allocations, fake_arguments, fake_large_clusters, fake_older, fake_carve,
    fake_balanced;
extern unsigned fake_blocks, fake_threads, fake_local_bytes;
extern void *fake_current, *fake_stream;
extern char fake_image[64];
extern unsigned long long fake_argument[8];
void fake_fail_at(int n);
int fake_alive(void);

static char folder[] = "/tmp/fftgen-fake-XXXXXX", pack[64], cache[64], wisdom[64];
static fg_device_facts facts;

static fftgen_options usual(void) {
  return (fftgen_options){.size = sizeof(fftgen_options),
                          .cache = cache,
                          .wisdom = wisdom,
                          .pack = pack,
                          .flags = FFTGEN_NO_CACHE | FFTGEN_NO_JIT};
}

static struct CUstream_st *stream(int i) { return (struct CUstream_st *)(uintptr_t)(0x1000 * (i + 1)); }

/* ---- packages by hand ------------------------------------------------------------ */

static const char problem[] = "c2c f32 n=8 batch=count[1..4096]";

/* Two launches through a workspace, with a table. */
static fg_package package_of(fg_launch launch[2]) {
  static const float table[6] = {1, 2, 3, 4, 5, 6};
  launch[0] = (fg_launch){.entry = "first", .threads = 64, .nblock_factor = 2, .local_bytes = 512, .narg = 4};
  launch[0].block_factor[0].n = 2, launch[0].block_factor[0].param = 0, launch[0].block_factor[0].div = 32;
  launch[0].block_factor[1].n = 3, launch[0].block_factor[1].param = -1;
  const fg_launch_arg first[] = {{false, 0}, {false, 2}, {false, 3}, {true, 0}};
  memcpy(launch[0].arg, first, sizeof first);
  launch[1] = (fg_launch){.entry = "second", .threads = 128, .local_bytes = 100 << 10, .narg = 4};
  const fg_launch_arg second[] = {{false, 2}, {false, 1}, {false, 3}, {true, 0}};
  memcpy(launch[1].arg, second, sizeof second);
  fg_package p = {
      .problem = problem, .plan = "by hand", .generator = fg_version, .compiler = "", .flops = 1, .bytes = 2};
  p.artifact = (fg_artifact){.dialect = "cuda", .name = "hand", .flags = "", .nbuffer = 4, .nparam = 1, .nlaunch = 2};
  p.artifact.buffer[0] = (fg_arg_buffer){.name = "in", .kind = FG_ARG_IN, .bytes = 8 * 8 * 4096};
  p.artifact.buffer[1] = (fg_arg_buffer){.name = "out", .kind = FG_ARG_OUT, .bytes = 8 * 8 * 4096};
  p.artifact.buffer[2] = (fg_arg_buffer){.name = "work", .kind = FG_ARG_WORK, .bytes = 8 * 8 * 4096};
  p.artifact.buffer[3] =
      (fg_arg_buffer){.name = "table", .kind = FG_ARG_TABLE, .bytes = sizeof table, .content = table};
  p.artifact.launch = launch;
  return p;
}

static void write_pack(const fg_package *p, const char *features) {
  fg_context cx = {.arena = fg_arena_create()};
  char path[128], sum[FG_HASH_TEXT];
  fg_strbuf text = fg_strbuf_new(cx.arena);
  fg_package_write(&cx, p, &text);
  fg_hash_text(fg_hash_add(fg_hash_begin(), text.text, text.length), sum);
  snprintf(path, sizeof path, "%s/00.fgk", pack);
  assert_int_equal(fg_store_make_folder(&cx, pack), FG_OK);
  assert_int_equal(fg_store_replace(&cx, path, text.text, text.length), FG_OK);
  fg_strbuf_cut(&text, 0);
  fg_strbuf_addf(
      &text,
      "{\"fftgen\":1,\"target\":\"cuda\",\"problem\":\"%s\",\"plan\":\"%s\",\"features\":\"%s\",\"file\":\"00.fgk\","
      "\"sum\":\"%s\"}\n",
      p->problem, p->plan, features, sum);
  fg_pack_seal(&text);
  snprintf(path, sizeof path, "%s/pack.jsonl", pack);
  assert_int_equal(fg_store_replace(&cx, path, text.text, text.length), FG_OK);
  fg_arena_destroy(cx.arena);
}

static void usual_pack(void) {
  fg_launch launch[2];
  fg_package p = package_of(launch);
  fg_package_add(&p, &(fg_package_code){"cubin", "sm_90", "\177ELF of sm_90..", 16});
  write_pack(&p, "sm_90");
}

static fftgen_cuda_plan *plan_or_fail(const char *text, const fftgen_options *o) {
  fftgen_cuda_plan *p;
  fftgen_error error;
  if (fftgen_cuda_plan_create(text, o, &p, &error) != FFTGEN_OK) fail_msg("%s", error.message);
  return p;
}

/* ---- which code -------------------------------------------------------------------- */

static const struct choice {
  const char *taken; /* NULL: none */
  fg_package_code code[3];
} choices[] = {
    {"\177ELF 90",
     {{"cubin", "sm_80", "\177ELF 80", 9}, {"cubin", "sm_90", "\177ELF 90", 9}, {"ptx", "compute_80", "//80", 5}}},
    {"//80",
     {{"cubin", "sm_80", "\177ELF 80", 9}, {"ptx", "compute_80", "//80", 5}, {"ptx", "compute_100", "//100", 6}}},
    {"//80",
     {{"ptx", "compute_70", "//70", 5}, {"ptx", "compute_80", "//80", 5}, {"cubin", "sm_100", "\177ELF 100", 10}}},
    {NULL,
     {{"cubin", "sm_80", "\177ELF 80", 9}, {"cubin", "sm_100", "\177ELF 100", 10}, {"ptx", "compute_100", "//100", 6}}},
    {NULL,
     {{"cubin", "sm_90a", "\177ELF 90a", 10},
      {"binary", "sm_90", "\177ELF 90", 9},
      {"ptx", "compute_100", "//100", 6}}},
};

static void code_is_chosen(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
    fg_launch launch[2];
    fg_package p = package_of(launch);
    fftgen_options o = usual();
    fftgen_cuda_plan *plan;
    fftgen_error error;
    for (int k = 0; k < 3; k++) {
      fg_package_code padded = choices[i].code[k];
      char *bytes = calloc(1, 32);
      memcpy(bytes, padded.bytes, strlen(padded.bytes)); /* zeros behind it */
      padded.bytes = bytes, padded.size = 32;
      fg_package_add(&p, &padded);
    }
    write_pack(&p, "compute_70");
    memset(fake_image, 0, sizeof fake_image);
    fftgen_status status = fftgen_cuda_plan_create(problem, &o, &plan, &error);
    assert_int_equal(status, choices[i].taken ? FFTGEN_OK : FFTGEN_ENOKERNEL);
    if (choices[i].taken)
      assert_string_equal(fake_image, choices[i].taken);
    else
      assert_non_null(strstr(error.message, "no code in it for this GPU"));
    fftgen_cuda_plan_destroy(plan);
    for (int k = 0; k < p.ncode; k++) free((void *)(uintptr_t)p.code[k].bytes);
  }
  assert_int_equal(fake_alive(), 0);
}

static void lines_for_other_gpus(void **state) {
  (void)state;
  static const char *const features[] = {"sm_100", "sm_80", "sm_90a", "compute_100", "nonsense"};
  for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
    fg_launch launch[2];
    fg_package p = package_of(launch);
    fftgen_options o = usual();
    fftgen_cuda_plan *plan;
    fftgen_error error;
    fg_package_add(&p, &(fg_package_code){"cubin", "sm_90", "\177ELF of sm_90..", 16});
    write_pack(&p, features[i]);
    assert_int_equal(fftgen_cuda_plan_create(problem, &o, &plan, &error), FFTGEN_ENOKERNEL);
    assert_non_null(strstr(error.message, "other GPUs"));
  }
}

static void too_large_for_it(void **state) {
  (void)state;
  static const char *const says[] = {"2048 threads", "233472 bytes of local memory", "clusters of 17 blocks",
                                     "needs bulk copies"};
  for (int i = 0; i < 4; i++) {
    fg_launch launch[2];
    fg_package p = package_of(launch);
    fftgen_options o = usual();
    fftgen_cuda_plan *plan;
    fftgen_error error;
    if (i == 0) launch[0].threads = 2048;
    if (i == 1) launch[1].local_bytes = 228 << 10;
    if (i == 2) launch[1].cluster = 17;
    if (i == 3) launch[1].bulk = true, fake_older = 1;
    fg_package_add(&p, &(fg_package_code){"cubin", "sm_90", "\177ELF of sm_90..", 16});
    write_pack(&p, "sm_90");
    assert_int_equal(fftgen_cuda_plan_create(problem, &o, &plan, &error), FFTGEN_ENOKERNEL);
    fake_older = 0;
    if (!strstr(error.message, says[i])) fail_msg("%s", error.message);
  }
}

/* More than eight blocks of a cluster must be asked for, and so must that they are scheduled where there is room. */
static void large_clusters_are_allowed(void **state) {
  (void)state;
  for (int cluster = 8; cluster <= 16; cluster += 8) {
    fg_launch launch[2];
    fg_package p = package_of(launch);
    fftgen_options o = usual();
    launch[0].cluster = cluster, launch[0].balanced = cluster > 8;
    fg_package_add(&p, &(fg_package_code){"cubin", "sm_90", "\177ELF of sm_90..", 16});
    write_pack(&p, "sm_90");
    fake_large_clusters = fake_balanced = 0;
    fftgen_cuda_plan_destroy(plan_or_fail(problem, &o));
    assert_int_equal(fake_large_clusters, cluster > 8);
    assert_int_equal(fake_balanced, cluster > 8);
  }
}

/* Of 228 KiB, and by memory alone: where blocks would take more than 86 percent of it, 71, if two warps for each of
 * four schedulers are left; as the plan says in any case. */
static void the_first_cache_has_room(void **state) {
  (void)state;
  static const struct {
    int threads, kib, carveout, cluster, expected;
    bool bulk;
  } cases[] = {
      {.threads = 128, .kib = 16, .expected = 71}, /* 13 blocks of 17 KiB */
      {.threads = 64, .kib = 31, .expected = 71},  /* 7 of 32, then 5 of two warps */
      {.threads = 64, .kib = 54, .expected = 0},   /* 4 of 55, then 2 of two warps */
      {.threads = 128, .kib = 32, .expected = 71}, /* 6 of 33: 198 */
      {.threads = 128, .kib = 64, .expected = 0},  /* 3 of 65 KiB */
      {.threads = 128, .kib = 16, .bulk = true, .expected = 0},
      {.threads = 128, .kib = 16, .cluster = 2, .expected = 0},
      {.threads = 128, .kib = 16, .carveout = 43, .expected = 43},
      {.threads = 128, .kib = 64, .carveout = 57, .cluster = 2, .expected = 57},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fg_launch launch[2];
    fg_package p = package_of(launch);
    fftgen_options o = usual();
    launch[0].local_bytes = 0;
    launch[1].threads = cases[i].threads, launch[1].local_bytes = (size_t)cases[i].kib << 10;
    launch[1].carveout = cases[i].carveout, launch[1].cluster = cases[i].cluster, launch[1].bulk = cases[i].bulk;
    fg_package_add(&p, &(fg_package_code){"cubin", "sm_90", "\177ELF of sm_90..", 16});
    write_pack(&p, "sm_90");
    fake_carve = 0;
    fftgen_cuda_plan_destroy(plan_or_fail(problem, &o));
    if (fake_carve != cases[i].expected) fail_msg("case %zu: %d percent", i, fake_carve);
  }
}

/* An allocator that has nothing left at its n-th call. */
typedef struct poor {
  int calls, fails_at, alive;
} poor;

static void *poor_allocate(void *context, size_t bytes, size_t alignment) {
  poor *p = context;
  if (++p->calls == p->fails_at) return NULL;
  p->alive++;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void poor_release(void *context, void *memory) {
  ((poor *)context)->alive--;
  free(memory);
}

static void memory_runs_out(void **state) {
  (void)state;
  usual_pack();
  for (int n = 1; n < 10; n++) {
    poor memory = {.fails_at = n};
    fftgen_allocator a = {poor_allocate, poor_release, &memory};
    fftgen_options o = usual();
    fftgen_cuda_plan *plan;
    o.allocator = &a;
    fftgen_status status = fftgen_cuda_plan_create(problem, &o, &plan, NULL);
    assert_int_equal(status == FFTGEN_OK, memory.calls < n);
    fftgen_cuda_plan_destroy(plan);
    assert_int_equal(memory.alive, 0);
    assert_int_equal(fake_alive(), 0);
  }
}

/* ---- executing ----------------------------------------------------------------------- */

/* Addresses of the fake are the host's. */
static uint64_t in[8 * 4096], out[8 * 4096], room[8 * 4096];

static void launches_are_the_packages(void **state) {
  (void)state;
  usual_pack();
  fftgen_options o = usual();
  fftgen_cuda_plan *p = plan_or_fail(problem, &o);
  fftgen_info info = {.size = sizeof info};
  assert_int_equal(fftgen_cuda_plan_info(p, &info), FFTGEN_OK);
  assert_string_equal(info.origin, "pack");
  assert_string_equal(info.isa, "sm_90");
  assert_int_equal(info.scratch, sizeof room);
  long long count = 70;
  in[0] = 4711, out[0] = 0;
  fftgen_cuda_arrays a = {.in = (uintptr_t)in, .out = (uintptr_t)out, .params = &count};
  fake_fail_at(0);
  fake_launches = 0, fake_arguments = 4;
  fftgen_error error;
  if (fftgen_cuda_execute(p, &a, stream(0), &error)) fail_msg("%s", error.message);
  assert_int_equal(fake_launches, 2);
  assert_int_equal(fake_calls, 2); /* of the driver: launches, and nothing else */
  assert_int_equal(fake_allocations, 0);
  assert_int_equal(out[0], 4711); /* by way of the workspace */
  assert_ptr_equal(fake_stream, stream(0));
  assert_int_equal(fake_blocks, 1);
  assert_int_equal(fake_threads, 128);
  assert_int_equal(fake_local_bytes, 100 << 10);
  assert_true(fake_argument[1] == (uintptr_t)out && fake_argument[3] == 70);
  assert_true(((const float *)(uintptr_t)fake_argument[2])[5] == 6); /* the table */
  /* The first launch alone: the second fails. */
  fake_fail_at(2);
  assert_int_equal(fftgen_cuda_execute(p, &a, stream(0), &error), FFTGEN_ESYSTEM);
  assert_non_null(strstr(error.message, "launching"));
  assert_int_equal(fake_blocks, 2 * 3 * 3); /* 2 * 3 * ceil(70 / 32) */
  assert_int_equal(fake_threads, 64);
  a.workspace = (uintptr_t)room;
  fake_fail_at(0);
  assert_int_equal(fftgen_cuda_execute(p, &a, stream(1), NULL), FFTGEN_OK);
  assert_true(fake_argument[0] == (uintptr_t)room);
  fake_arguments = 0;
  fftgen_cuda_plan_destroy(p);
  assert_int_equal(fake_alive(), 0);
}

/* A batch of no transforms launches nothing, wherever the arrays are. */
static void nothing_is_launched(void **state) {
  (void)state;
  usual_pack();
  fftgen_options o = usual();
  fftgen_cuda_plan *p = plan_or_fail("c2c f32 n=8 batch=count[0..4096]", &o);
  long long count[] = {0, 1, -1};
  fftgen_cuda_arrays a = {.params = &count[0]};
  fftgen_error error;
  fake_fail_at(0), fake_launches = 0;
  assert_int_equal(fftgen_cuda_execute(p, &a, stream(0), &error), FFTGEN_OK);
  assert_int_equal(fftgen_cuda_execute_host(p, &(fftgen_arrays){.params = &count[0]}, &error), FFTGEN_OK);
  assert_int_equal(fake_launches, 0);
  a.in = (uintptr_t)in, a.out = (uintptr_t)out, a.params = &count[1];
  assert_int_equal(fftgen_cuda_execute(p, &a, stream(0), &error), FFTGEN_OK);
  assert_int_equal(fake_launches, 2);
  a.params = &count[2];
  assert_int_equal(fftgen_cuda_execute(p, &a, stream(0), &error), FFTGEN_EPROBLEM);
  fftgen_cuda_plan_destroy(p);
}

/* 100 KiB a block, 4096 of them: two on each of ten multiprocessors stay. */
static void persistent_blocks_stay(void **state) {
  (void)state;
  for (int persistent = 0; persistent < 2; persistent++) {
    fg_launch launch[2];
    fg_package p = package_of(launch);
    fftgen_options o = usual();
    launch[1].persistent = persistent;
    launch[1].nblock_factor = 1;
    launch[1].block_factor[0].n = 512, launch[1].block_factor[0].param = 0, launch[1].block_factor[0].div = 1;
    fg_package_add(&p, &(fg_package_code){"cubin", "sm_90", "\177ELF of sm_90..", 16});
    write_pack(&p, "sm_90");
    fftgen_cuda_plan *plan = plan_or_fail(problem, &o);
    static const unsigned expected[2][2] = {{512, 4096}, {20, 20}};
    for (int count = 0; count < 2; count++) {
      long long transforms = count ? 8 : 1;
      fftgen_cuda_arrays a = {.in = (uintptr_t)in, .out = (uintptr_t)out, .params = &transforms};
      assert_int_equal(fftgen_cuda_execute(plan, &a, NULL, NULL), FFTGEN_OK);
      assert_int_equal(fake_blocks, expected[persistent][count]);
    }
    fftgen_cuda_plan_destroy(plan);
  }
}

typedef struct user { /* a thread on its default stream */
  fftgen_cuda_plan *plan;
  fftgen_status status[2];
} user;

static void *use(void *data) {
  user *u = data;
  long long count = 1;
  fftgen_cuda_arrays a = {.in = (uintptr_t)in, .out = (uintptr_t)out, .params = &count};
  for (int i = 0; i < 2; i++) u->status[i] = fftgen_cuda_execute(u->plan, &a, (struct CUstream_st *)2, NULL);
  return NULL;
}

static void workspaces_belong_to_streams(void **state) {
  (void)state;
  usual_pack();
  fftgen_options o = usual();
  fftgen_error error;
  long long count = 1;
  fftgen_cuda_arrays a = {.in = (uintptr_t)in, .out = (uintptr_t)out, .params = &count};
  for (int workspaces = 1; workspaces < 4; workspaces++) {
    o.concurrency = workspaces;
    fftgen_cuda_plan *p = plan_or_fail(problem, &o);
    for (int turn = 0; turn < 2; turn++)
      for (int s = 0; s < 4; s++) {
        fftgen_status status = fftgen_cuda_execute(p, &a, s ? stream(s) : NULL, &error);
        assert_int_equal(status, s < workspaces ? FFTGEN_OK : FFTGEN_EBUSY);
      }
    assert_non_null(strstr(error.message, "concurrency"));
    a.workspace = (uintptr_t)room;
    assert_int_equal(fftgen_cuda_execute(p, &a, stream(9), &error), FFTGEN_OK);
    a.workspace = 0;
    fftgen_cuda_plan_destroy(p);
  }
  o.concurrency = -1; /* none: each execution brings one */
  fake_fail_at(0);
  fftgen_cuda_plan *bare = plan_or_fail(problem, &o);
  assert_int_equal(fake_allocations, 1); /* of its table */
  assert_int_equal(fftgen_cuda_execute(bare, &a, NULL, &error), FFTGEN_EBUSY);
  a.workspace = (uintptr_t)room;
  for (int s = 0; s < 4; s++) assert_int_equal(fftgen_cuda_execute(bare, &a, stream(s), &error), FFTGEN_OK);
  a.workspace = 0;
  fftgen_cuda_plan_destroy(bare);
  /* The per-thread default stream has one name and is many streams. */
  o.concurrency = 2;
  user users[3] = {{.plan = plan_or_fail(problem, &o)}};
  for (int i = 0; i < 3; i++) {
    pthread_t id;
    users[i].plan = users[0].plan;
    pthread_create(&id, NULL, use, &users[i]);
    pthread_join(id, NULL);
    assert_int_equal(users[i].status[0], i < 2 ? FFTGEN_OK : FFTGEN_EBUSY);
    assert_int_equal(users[i].status[1], users[i].status[0]);
  }
  fftgen_cuda_plan_destroy(users[0].plan);
  assert_int_equal(fake_alive(), 0);
}

static void arrays_of_the_host(void **state) {
  (void)state;
  usual_pack();
  fftgen_options o = usual();
  fftgen_error error;
  fftgen_cuda_plan *p = plan_or_fail(problem, &o);
  int alive = fake_alive();
  long long count = 5;
  in[0] = 99, out[0] = 0, out[1] = 12, out[8 * 4096 - 1] = 77;
  fftgen_arrays a = {.in = in, .out = out, .params = &count};
  if (fftgen_cuda_execute_host(p, &a, &error)) fail_msg("%s", error.message);
  assert_true(out[0] == 99 && out[1] == 12 && out[8 * 4096 - 1] == 77); /* written in part: the rest stays */
  assert_int_equal(fake_alive(), alive);
  int calls;
  fake_fail_at(0);
  assert_int_equal(fftgen_cuda_execute_host(p, &a, &error), FFTGEN_OK);
  calls = fake_calls;
  for (int n = 1; n <= calls; n++) {
    fake_fail_at(n);
    assert_int_equal(fftgen_cuda_execute_host(p, &a, &error), FFTGEN_ESYSTEM);
    assert_true(error.message[0] && !strchr(error.message, '\n'));
    assert_int_equal(fake_alive(), alive);
  }
  fake_fail_at(0);
  a.params = NULL;
  assert_int_equal(fftgen_cuda_execute_host(p, &a, &error), FFTGEN_EPROBLEM);
  fftgen_cuda_plan_destroy(p);
}

static void mistakes(void **state) {
  (void)state;
  usual_pack();
  fftgen_options o = usual();
  fftgen_error error;
  fftgen_cuda_plan *p = plan_or_fail(problem, &o);
  long long low = 0, high = 4097, good = 4;
  unsigned long long i = (uintptr_t)in, u = (uintptr_t)out;
  const fftgen_cuda_arrays wrong[] = {
      {.in = i, .out = u},        {.in = i, .out = u, .params = &low}, {.in = i, .out = u, .params = &high},
      {.in = i, .params = &good}, {.out = u, .params = &good},         {.in = i, .out = i, .params = &good}};
  fake_launches = 0;
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    assert_int_equal(fftgen_cuda_execute(p, &wrong[k], NULL, &error), FFTGEN_EPROBLEM);
    assert_true(error.message[0] && !strchr(error.message, '\n'));
  }
  assert_int_equal(fftgen_cuda_execute(NULL, &wrong[0], NULL, &error), FFTGEN_EPROBLEM);
  assert_int_equal(fake_launches, 0);
  fftgen_cuda_plan_destroy(p);
  fftgen_cuda_plan_destroy(NULL);
  fake_current = NULL;
  assert_int_equal(fftgen_cuda_plan_create(problem, &o, &p, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "context"));
  assert_null(p);
  fake_current = (void *)1;
}

static void every_call_fails_once(void **state) {
  (void)state;
  usual_pack();
  fftgen_options o = usual();
  fftgen_error error;
  fftgen_cuda_plan *p;
  fake_fail_at(0);
  fftgen_cuda_plan_destroy(plan_or_fail(problem, &o));
  int calls = fake_calls, failed = 0;
  for (int n = 1; n <= calls; n++) {
    fake_fail_at(n);
    fftgen_status status = fftgen_cuda_plan_create(problem, &o, &p, &error);
    failed += status != FFTGEN_OK;
    assert_true((status == FFTGEN_OK) == (p != NULL));
    fftgen_cuda_plan_destroy(p);
    assert_int_equal(fake_alive(), 0);
  }
  assert_true(failed >= calls - 2); /* the device's name is no necessity */
  fake_fail_at(0);
}

/* ---- with the compiler ------------------------------------------------------------------ */

static void expect_origin(const char *text, const fftgen_options *o, const char *origin) {
  fftgen_cuda_plan *p = plan_or_fail(text, o);
  fftgen_info info = {.size = sizeof info};
  fftgen_cuda_plan_info(p, &info);
  if (strcmp(info.origin, origin)) fail_msg("%s, not %s: %s", info.origin, origin, info.reasons);
  fftgen_cuda_plan_destroy(p);
}

static void generated_and_cached(void **state) {
  (void)state;
  char compiler[64], why[FG_WHY_SIZE];
  if (fg_cuda_compiler(compiler, sizeof compiler, why)) {
    printf("SKIP: kernels generated now: %s\n", why);
    skip();
  }
  fftgen_options o = usual();
  o.flags = 0;
  expect_origin("c2c f32 n=64 batch=count[1..99]", &o, "jit");
  expect_origin("c2c f32 n=64 batch=count[1..99]", &o, "cache");
  /* By default it is planned for this GPU, which has clusters; options.arch names one that has none. */
  const char *of[2];
  char text[2][200];
  for (int i = 0; i < 2; i++) {
    o.arch = i ? "sm_80" : NULL;
    fftgen_cuda_plan *planned = plan_or_fail("c2c f32 n=32768 batch=1000", &o);
    fftgen_info about = {.size = sizeof about};
    fftgen_cuda_plan_info(planned, &about);
    snprintf(text[i], sizeof text[i], "%s", about.plan);
    of[i] = strstr(text[i], "cluster=");
    fftgen_cuda_plan_destroy(planned);
  }
  assert_true(of[0] && !of[1]);
  o.arch = NULL;
  /* Wisdom of this GPU decides, other GPUs' does not. */
  const fg_wisdom_entry ours = entry_for(facts.identity, "cuda", "c2c f32 n=64", "stockham(4,16)", 7),
                        theirs = entry_for("another GPU", "cuda", "c2c f32 n=64", "stockham(16,4)", 1);
  assert_int_equal(entry_add(wisdom, &ours), FG_OK);
  assert_int_equal(entry_add(wisdom, &theirs), FG_OK);
  fftgen_cuda_plan *p = plan_or_fail("c2c f32 n=64", &o);
  fftgen_info info = {.size = sizeof info};
  fftgen_cuda_plan_info(p, &info);
  assert_string_equal(info.plan, "stockham(4,16)");
  assert_true(info.ns == 7);
  fftgen_cuda_plan_destroy(p);
  assert_int_equal(fake_alive(), 0);
}

/* A pack with a source alone, as where there was no compiler. */
static void source_in_a_pack(void **state) {
  (void)state;
  char compiler[64], why[FG_WHY_SIZE];
  static const char source[] =
      "extern \"C\" __global__ void first(float *a, float *b, float *t, long long n) { b[0] = a[0] + t[0]; }\n"
      "extern \"C\" __global__ void second(float *a, float *b, float *t, long long n) { b[0] = a[0] * t[0]; }\n";
  fg_launch launch[2];
  fg_package p = package_of(launch);
  fftgen_options o = usual();
  fftgen_error error;
  fftgen_cuda_plan *plan;
  fg_package_add(&p, &(fg_package_code){"source", "", source, sizeof source - 1});
  write_pack(&p, "");
  setenv("FFTGEN_JIT", "", 1);
  /* The plugin stays once it was found: only the first test of a process can miss it. */
  fftgen_status status = fftgen_cuda_plan_create(problem, &o, &plan, &error);
  assert_true(status == FFTGEN_OK || strstr(error.message, "only a source in it"));
  fftgen_cuda_plan_destroy(plan);
  setenv("FFTGEN_JIT", FFTGEN_JIT_FILE, 1);
  if (fg_cuda_compiler(compiler, sizeof compiler, why)) {
    assert_int_equal(fftgen_cuda_plan_create(problem, &o, &plan, &error), FFTGEN_ENOKERNEL);
    assert_non_null(strstr(error.message, "libnvrtc"));
    return;
  }
  expect_origin(problem, &o, "pack");
}

/* In a process of its own, where no plugin was found before: 0 when the plan was
 * refused for what the proof said and nothing is kept, 1 when it was made. */
static int plan_by_fake_jit(const char *plan, int row) {
  fftgen_options o = usual();
  fftgen_cuda_plan *p;
  fftgen_error error;
  char place[80], command[256];
  o.flags = FFTGEN_NO_PACK;
  snprintf(place, sizeof place, "%s/wrong%d", folder, row);
  o.cache = place;
  o.plan = plan;
  setenv("FFTGEN_JIT", FAKE_JIT_FILE, 1);
  if (fftgen_cuda_plan_create("c2c f32 n=16", &o, &p, &error) == FFTGEN_OK) return 1;
  snprintf(command, sizeof command, "[ -z \"$(ls %s/objects %s/index | grep -v :)\" ]", place, place);
  return strstr(error.message, "it computes something else") && !system(command) ? 0 : 2;
}

/* The proof alone makes the difference. What failed it gives way to what the plugin has proved before; a plan that was
 * asked for does not. */
static void what_is_not_proved_does_not_run(void **state) {
  (void)state;
  static const struct {
    const char *proves, *plan;
    int made;
  } row[] = {{NULL, NULL, 0}, {"all", NULL, 1}, {"second", NULL, 1}, {"second", "wrong", 0}, {"all", "wrong", 1}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
      if (row[i].proves) setenv("FAKE_JIT_PROVES", row[i].proves, 1);
      _exit(plan_by_fake_jit(row[i].plan, (int)i));
    }
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) != row[i].made) fail_msg("row %d: %d", (int)i, WEXITSTATUS(status));
  }
}

static int set_up(void **state) {
  char why[FG_WHY_SIZE];
  (void)state;
  const fg_cu_api *cu = fg_cu_load(why);
  if (!cu || !mkdtemp(folder)) return 1;
  fake_current = (void *)1;
  fg_cu_facts(cu, 0, &facts);
  snprintf(pack, sizeof pack, "%s/pack", folder);
  snprintf(cache, sizeof cache, "%s/cache", folder);
  snprintf(wisdom, sizeof wisdom, "%s/wisdom.jsonl", folder);
  return setenv("FFTGEN_JIT", FFTGEN_JIT_FILE, 1);
}

static int tear_down(void **state) {
  char command[128];
  (void)state;
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_not_proved_does_not_run),
      cmocka_unit_test(source_in_a_pack),
      cmocka_unit_test(code_is_chosen),
      cmocka_unit_test(lines_for_other_gpus),
      cmocka_unit_test(too_large_for_it),
      cmocka_unit_test(large_clusters_are_allowed),
      cmocka_unit_test(the_first_cache_has_room),
      cmocka_unit_test(persistent_blocks_stay),
      cmocka_unit_test(launches_are_the_packages),
      cmocka_unit_test(nothing_is_launched),
      cmocka_unit_test(workspaces_belong_to_streams),
      cmocka_unit_test(arrays_of_the_host),
      cmocka_unit_test(mistakes),
      cmocka_unit_test(every_call_fails_once),
      cmocka_unit_test(memory_runs_out),
      cmocka_unit_test(generated_and_cached),
  };
  return cmocka_run_group_tests_name("fake_cuda_plan", tests, set_up, tear_down);
}
