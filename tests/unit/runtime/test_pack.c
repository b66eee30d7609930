/* Packs that were damaged on their way: with any bit changed, or cut off at any byte, a pack gives the very file that
 * was put in, or is refused with a reason; what a plan then computes is the same to the last bit. */
#include "runtime/include/fftgen/fftgen.h"
#include "runtime/store/archive.h"
#include "runtime/store/pack.h"
#include "runtime/store/read.h"
#include "runtime/store/store.h"
#include "tests/unit/changed_text.h"
#include "tuning/search/packing.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char problem[] = "c2c f32 n=4";
static char folder[] = "/tmp/fftgen-pack-XXXXXX";
static float right[8]; /* of the pack as it was made */

static int make(const char *arguments) {
  char command[512];
  snprintf(command, sizeof command, "cd %s && FFTGEN_WISDOM=none %s pack '%s' %s >/dev/null", folder, FFTGEN_FILE,
           problem, arguments);
  return system(command);
}

static int group_setup(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  return make("--isa scalar -o kernels") || make("--isa scalar -o kernels.tar") || make("--target opencl -o cl") ||
         make("--target opencl -o cl.tar");
}

static int group_teardown(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

/* ---- what a pack gives ----------------------------------------------------------- */

typedef enum verdict { REFUSED, SAME, OTHER } verdict;

/* A plan by this pack alone, and what it computes. */
static verdict run(const char *pack, float out[8]) {
  static const float in[8] = {1, 2, -3, 4.5f, 5, -6, 7.25f, 8};
  fftgen_options o = {
      .size = sizeof o, .pack = pack, .flags = FFTGEN_NO_LINKED | FFTGEN_NO_CACHE | FFTGEN_NO_JIT | FFTGEN_NO_WISDOM};
  fftgen_plan *p;
  fftgen_error error;
  if (fftgen_plan_create(problem, &o, &p, &error) != FFTGEN_OK)
    return strstr(error.message, "pack: ") ? REFUSED : OTHER; /* it says why */
  fftgen_status status = fftgen_execute(p, in, out);
  fftgen_plan_destroy(p);
  return status == FFTGEN_OK ? SAME : OTHER;
}

static verdict try_plan(const char *pack) {
  float out[8] = {0};
  verdict v = run(pack, out);
  return v != SAME || !memcmp(out, right, sizeof out) ? v : OTHER;
}

static const char *take_all(const void *context, const char *features) {
  (void)context;
  (void)features;
  return NULL;
}

static char package[1 << 16]; /* of the pack as it was made */
static size_t package_bytes;

/* What is found for a device is what was put in. */
static verdict find(const char *pack, char *bytes, size_t *size) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_pack_key key = {.target = "opencl", .problem = problem, .refuse = take_all};
  fg_pack_file file;
  const char *why = NULL;
  verdict v = REFUSED;
  if (fg_pack_find(&cx, pack, &key, &file, &why) == FG_OK) {
    char *text = (char *)file.data;
    *size = file.bytes;
    if (file.path) assert_int_equal(fg_store_read_open(&cx, file.fd, file.path, sizeof package, &text, size), FG_OK);
    if (file.path) close(file.fd);
    assert_true(*size <= sizeof package);
    memcpy(bytes, text, *size);
    v = SAME;
  } else {
    assert_non_null(why);
  }
  fg_arena_destroy(cx.arena);
  return v;
}

static verdict try_package(const char *pack) {
  static char bytes[sizeof package];
  size_t size;
  verdict v = find(pack, bytes, &size);
  return v != SAME || (size == package_bytes && !memcmp(bytes, package, size)) ? v : OTHER;
}

/* ---- damage -------------------------------------------------------------------- */

typedef struct damage {
  const char *pack, *file;          /* what is tried; what is damaged */
  verdict (*attempt)(const char *); /* of the pack */
  int same, refused;                /* so far */
} damage;

static void judge(damage *d, const char *what, size_t at) {
  verdict v = d->attempt(d->pack);
  if (v == OTHER) fail_msg("%s, %s at byte %zu: something else is taken", d->file, what, at);
  d->same += v == SAME;
  d->refused += v == REFUSED;
}

/* One bit of each byte, another one from byte to byte; all eight where that is soon done. */
static void flip(damage *d, int fd, const char *bytes, size_t size, bool all) {
  for (size_t i = 0; i < size; i++)
    for (int k = 0; k < (all ? 8 : 1); k++) {
      char byte = (char)(bytes[i] ^ 1 << (i + (size_t)k) % 8);
      assert_int_equal(pwrite(fd, &byte, 1, (off_t)i), 1);
      judge(d, "a bit changed", i);
      assert_int_equal(pwrite(fd, bytes + i, 1, (off_t)i), 1);
    }
}

static void cut(damage *d, int fd, size_t size) {
  for (size_t i = size; i-- > 0;) {
    assert_int_equal(ftruncate(fd, (off_t)i), 0);
    judge(d, "cut off", i);
  }
}

/* All of it with one file of a pack, which is as before then. */
static void harm(damage *d, bool all) {
  fg_context cx = {.arena = fg_arena_create()};
  char *bytes;
  size_t size;
  assert_int_equal(fg_store_read(&cx, d->file, 1 << 20, &bytes, &size), FG_OK);
  int fd = open(d->file, O_RDWR | O_CLOEXEC);
  assert_true(fd >= 0);
  assert_int_equal(d->attempt(d->pack), SAME);
  flip(d, fd, bytes, size, all);
  cut(d, fd, size);
  assert_int_equal(pwrite(fd, bytes, size, 0), (ssize_t)size);
  close(fd);
  assert_int_equal(d->attempt(d->pack), SAME);
  print_message("%s: %zu bytes; %d times refused, %d times the same\n", d->file, size, d->refused, d->same);
  fg_arena_destroy(cx.arena);
}

/* The file beside the index of a folder. */
static void path_of_kernel(const char *pack, const char *suffix, char *path, size_t size) {
  DIR *d = opendir(pack);
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d));)
    if (strstr(e->d_name, suffix)) snprintf(path, size, "%s/%s", pack, e->d_name);
  closedir(d);
}

/* Nothing is without meaning in a folder. */
static void harm_folder(const char *name, const char *suffix, verdict (*attempt)(const char *)) {
  char pack[64], index[128], kernel[512] = "";
  snprintf(pack, sizeof pack, "%s/%s", folder, name);
  snprintf(index, sizeof index, "%s/" FG_PACK_INDEX, pack);
  path_of_kernel(pack, suffix, kernel, sizeof kernel);
  damage d = {.pack = pack, .file = index, .attempt = attempt};
  harm(&d, true);
  assert_int_equal(d.same, 0);
  d.file = kernel;
  harm(&d, false);
  assert_int_equal(d.same, 0);
}

/* In an archive, the bytes between its files and behind the last one; and how numbers are spelled. */
static void harm_archive(const char *name, verdict (*attempt)(const char *)) {
  enum { FILES = 2, SPELLINGS = 8 };
  char pack[64];
  snprintf(pack, sizeof pack, "%s/%s", folder, name);
  damage d = {.pack = pack, .file = pack, .attempt = attempt};
  harm(&d, false);
  int between = FILES * (FG_ARCHIVE_BLOCK - 1 + SPELLINGS), behind = 2 * FG_ARCHIVE_BLOCK;
  assert_in_range(d.same, 1, between + 2 * behind + FG_ARCHIVE_BLOCK);
}

static void test_kernels_in_a_folder(void **state) {
  (void)state;
  char pack[64];
  snprintf(pack, sizeof pack, "%s/kernels", folder);
  assert_int_equal(run(pack, right), SAME);
  harm_folder("kernels", ".so", try_plan);
}

static void test_kernels_in_an_archive(void **state) {
  (void)state;
  harm_archive("kernels.tar", try_plan);
}

static void test_packages_in_a_folder(void **state) {
  (void)state;
  char pack[64];
  snprintf(pack, sizeof pack, "%s/cl", folder);
  assert_int_equal(find(pack, package, &package_bytes), SAME);
  harm_folder("cl", ".fgk", try_package);
}

static void test_packages_in_an_archive(void **state) {
  (void)state;
  harm_archive("cl.tar", try_package);
}

/* An index that says it is of an older fftgen, or of nobody. */
static void test_without_a_check(void **state) {
  (void)state;
  char command[256], pack[64];
  snprintf(pack, sizeof pack, "%s/bare", folder);
  snprintf(command, sizeof command, "cd %s && cp -R kernels bare && sed -i '$d' bare/" FG_PACK_INDEX, folder);
  assert_int_equal(system(command), 0);
  assert_int_equal(try_plan(pack), REFUSED);
}

/* ---- an index that is read again ---------------------------------------------------- */

/* What is said of a pack whose index is these lines and a seal; "": nothing. */
static const char *said_of(fg_context *cx, const char *pack, const char *lines) {
  fg_context own = {.arena = cx->arena};
  fg_strbuf index = fg_strbuf_new(cx->arena);
  fg_strbuf_add(&index, lines);
  fg_pack_seal(&index);
  const char *path = fg_arena_printf(cx->arena, "%s/" FG_PACK_INDEX, pack);
  assert_int_equal(fg_store_replace(&own, path, index.text, index.length), FG_OK);
  fg_status status = fg_packing_check_index(&own, pack, &index);
  assert_true(status == (own.diag.message[0] ? FG_EINTERNAL : FG_OK));
  return fg_arena_strdup(cx->arena, own.diag.message);
}

static void test_mistakes_of_an_index(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  char command[512], *text;
  size_t size;
  const char *pack = fg_arena_printf(cx.arena, "%s/two", folder);
  snprintf(command, sizeof command,
           "cd %s && FFTGEN_WISDOM=none %s pack '%s' 'c2c f32 n=8' --target opencl -o two >/dev/null", folder,
           FFTGEN_FILE, problem);
  assert_int_equal(system(command), 0);
  assert_int_equal(fg_store_read(&cx, fg_arena_printf(cx.arena, "%s/" FG_PACK_INDEX, pack), 1 << 20, &text, &size),
                   FG_OK);
  const char *seal = strstr(text, "{\"fftgen_pack\"");
  assert_non_null(seal);
  const char *lines = fg_arena_printf(cx.arena, "%.*s", (int)(seal - text), text), *second = strchr(lines, '\n') + 1;
  const char *first = fg_arena_printf(cx.arena, "%.*s", (int)(second - lines), lines);
  assert_string_equal(said_of(&cx, pack, lines), "");
  assert_string_equal(said_of(&cx, pack, fg_arena_printf(cx.arena, "%s%s", lines, first)), "");
  const char *swapped = text_with(cx.arena, text_with(cx.arena, lines, "n=4\"", 1, "n=5\""), "n=8\"", 1, "n=4\"");
  assert_non_null(strstr(said_of(&cx, pack, swapped), "another problem"));
  const char *twice = text_with(cx.arena, lines, "n=4\"", 1, "n=8\"");
  assert_non_null(strstr(said_of(&cx, pack, twice), "internal error"));
  assert_non_null(strstr(said_of(&cx, pack, text_with(cx.arena, lines, "\"sum\":\"", 1, "\"sum\":\"0")), "damaged"));
  assert_non_null(strstr(said_of(&cx, pack, text_with(cx.arena, lines, "\"file\":\"", 1, "\"file\":\"0")), "missing"));
  assert_non_null(strstr(said_of(&cx, pack, text_with(cx.arena, lines, "\"plan\":", 1, "\"plans\":")), "too little"));
  assert_non_null(
      strstr(said_of(&cx, pack, text_with(cx.arena, lines, "\"opencl\"", 1, "\"cuda\"")), "another problem"));
  fg_arena_destroy(cx.arena);
}

int main(void) {
  if (system("command -v gcc >/dev/null 2>&1") != 0) return puts("SKIP: no gcc here"), 77;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernels_in_a_folder),  cmocka_unit_test(test_kernels_in_an_archive),
      cmocka_unit_test(test_packages_in_a_folder), cmocka_unit_test(test_packages_in_an_archive),
      cmocka_unit_test(test_without_a_check),      cmocka_unit_test(test_mistakes_of_an_index)};
  return cmocka_run_group_tests_name("pack", tests, group_setup, group_teardown);
}
