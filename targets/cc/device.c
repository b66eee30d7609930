/* The device "cc": a C compiler found on this machine, as a process, to a
 * shared object that is loaded and called. In: C text. Out: a callable module.
 *
 * The flags are what measurements favoured: gcc's induction variable
 * optimisation spoils straight-line codelets (three times the time of a radix
 * 16), clang splits 512-bit vectors unless told not to, where it may contract
 * across statements it shares products between sums in place of fusing them, and its
 * spilled vectors are in whole lines of the cache only where there is a frame pointer
 * (c2c f32 16384: a quarter of the time). */
#include "targets/cc/compile.h"
#include "targets/cc/kind.h"
#include "targets/cc/process.h"
#include "targets/cc/spills.h"
#include "targets/dialect.h"
#include "targets/env.h"
#include "targets/folder.h"
#include "targets/host.h"
#include "targets/host_module.h"
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { MAX_ARGS = 96, COMMAND_SIZE = 256, BUILD_SECONDS = 120, ASK_SECONDS = 20 };

typedef struct compiler {
  char command[COMMAND_SIZE]; /* words separated by spaces */
  char version[128];
  const char *flags;
} compiler;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  char compiler[COMMAND_SIZE], flags[COMMAND_SIZE], kind[COMMAND_SIZE]; /* options; "": not given */
  compiler found;                                                       /* the last one asked about itself */
} state;

#ifdef __x86_64__
#define WIDE " -mprefer-vector-width=512"
#else
#define WIDE ""
#endif

static const struct family {
  const char *mark; /* in what --version prints */
  int oldest;       /* major version that knows what emitted code needs */
  const char *flags;
} families[] = {
    {"clang", 14, "-O3 -ffp-contract=on -fno-math-errno -fno-omit-frame-pointer" WIDE},
    {"Free Software Foundation", 12, "-O3 -fno-ivopts -ffp-contract=fast -fno-math-errno"},
};

/* Splits at spaces into argv[*count...]. The words live in `words`. */
static int add_words(char **argv, int *count, char *words) {
  char *save = NULL;
  for (char *w = strtok_r(words, " \t", &save); w; w = strtok_r(NULL, " \t", &save)) {
    if (*count >= MAX_ARGS - 1) return 1;
    argv[(*count)++] = w;
  }
  argv[*count] = NULL;
  return 0;
}

static int ask(const char *command, const char *question, char *text, size_t size) {
  char words[COMMAND_SIZE], *argv[MAX_ARGS], option[32];
  int n = 0;
  snprintf(words, sizeof words, "%s", command);
  snprintf(option, sizeof option, "%s", question);
  if (add_words(argv, &n, words) || !n || n >= MAX_ARGS - 1) return 1;
  argv[n++] = option, argv[n] = NULL;
  return fg_process_run(&(fg_process){.argv = argv, .seconds = ASK_SECONDS, .text = text, .size = size});
}

/* Which compiler is it, and is it recent enough? */
static int identify(const char *command, compiler *out, char why[FG_WHY_SIZE]) {
  char text[2048], number[64];
  int status = ask(command, "--version", text, sizeof text);
  if (status) {
    snprintf(why, FG_WHY_SIZE, "%s: %s", command,
             status == FG_PROCESS_NOT_STARTED || status == 127 ? "not found" : "does not answer --version");
    return 1;
  }
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    if (!strstr(text, families[i].mark)) continue;
    if (ask(command, "-dumpversion", number, sizeof number) || atoi(number) < families[i].oldest) {
      snprintf(why, FG_WHY_SIZE, "%s: too old (gcc 12 or clang 14 is needed)", command);
      return 1;
    }
    text[strcspn(text, "\n")] = 0;
    snprintf(out->command, sizeof out->command, "%s", command);
    snprintf(out->version, sizeof out->version, "%.120s", text);
    out->flags = families[i].flags;
    return 0;
  }
  snprintf(why, FG_WHY_SIZE, "%s: neither gcc nor clang", command);
  return 1;
}

/* One of the usual compilers that is of this kind, of this version where there is one. */
static int find_kind(const char *kind, compiler *out) {
  char own[FG_CC_KIND], why[FG_WHY_SIZE];
  fg_cc_likeness best = FG_CC_OTHER;
  compiler c;
  for (int i = 0; fg_cc_names[i] && best != FG_CC_SAME_VERSION; i++) {
    if (identify(fg_cc_names[i], &c, why)) continue;
    fg_cc_kind(c.version, own);
    fg_cc_likeness like = fg_cc_alike(own, kind);
    if (like <= best) continue;
    best = like;
    *out = c;
  }
  return best == FG_CC_OTHER;
}

/* With the lock held. A compiler that the user named is the only candidate; a kind is a preference. */
static int find_compiler(compiler *out, char why[FG_WHY_SIZE]) {
  const char *named = *state.compiler ? state.compiler : fg_env_compiler();
  if (*state.found.command && (!named || !strcmp(named, state.found.command))) {
    *out = state.found;
    return 0;
  }
  if (fg_env_secure()) return snprintf(why, FG_WHY_SIZE, "a set-user-id program starts no compiler"), 1;
  int status = !named && *state.kind ? find_kind(state.kind, &state.found) : 1;
  if (named) status = identify(named, &state.found, why);
  for (int i = 0; status && !named && fg_cc_names[i]; i++) status = identify(fg_cc_names[i], &state.found, why);
  if (status && !named) snprintf(why, FG_WHY_SIZE, "no C compiler in PATH (gcc 12 or clang 14, or later)");
  if (status)
    *state.found.command = 0;
  else
    *out = state.found;
  return status;
}

static int probe(fg_device_facts *facts, char why[FG_WHY_SIZE]) {
  compiler c;
  pthread_mutex_lock(&lock);
  int status = find_compiler(&c, why);
  pthread_mutex_unlock(&lock);
  if (status) return status;
  const fg_isa *isa = fg_isa_native();
  *facts = (fg_device_facts){0};
  fg_host_facts(facts);
  snprintf(facts->version, sizeof facts->version, "%s", c.version);
  snprintf(facts->flags, sizeof facts->flags, "%s", c.flags);
  facts->lanes_f32 = isa->vector_bytes ? isa->vector_bytes / 4 : 1;
  facts->lanes_f64 = isa->vector_bytes ? isa->vector_bytes / 8 : 1;
  facts->registers = isa->registers;
  facts->has_fma = isa->fma;
  fg_host_machine(isa->machine, facts);
  return 0;
}

/* ---- building ------------------------------------------------------------ */

static void remove_directory(const char *path) {
  DIR *d = opendir(path);
  for (struct dirent *e; d && (e = readdir(d));)
    if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) unlinkat(dirfd(d), e->d_name, 0);
  if (d) closedir(d);
  rmdir(path);
}

static int write_source(const char *path, const fg_artifact *a, char why[FG_WHY_SIZE]) {
  FILE *f = fopen(path, "w");
  bool ok = f && fwrite(a->source, 1, a->source_bytes, f) == a->source_bytes;
  if (f && fclose(f)) ok = false;
  if (!ok) snprintf(why, FG_WHY_SIZE, "cannot write %.400s", path);
  return !ok;
}

/* What compilers, assemblers and linkers say of a file that they could not write; NULL: nothing. */
static const char *no_room_in(const char *text) {
  static const char *const words[] = {"No space left on device", "Disk quota exceeded", "File too large",
                                      "File size limit exceeded", "Read-only file system"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(text, words[i])) return words[i];
  return NULL;
}

enum { FAILED = 1, NO_ROOM }; /* of a compilation */

typedef struct place { /* where a build happens */
  const char *root;    /* of folders for temporary files */
  char temp[1024];
  char object[4096];
} place;

#define TO_OBJECT "-shared -Wl,-Bsymbolic"
#define TO_ASSEMBLY "-S"

static int compile(const compiler *c, const fg_artifact *a, const char *to, const char *further, place *p,
                   char why[FG_WHY_SIZE]) {
  char words[2048], source[1100], text[16384], *argv[MAX_ARGS];
  int n = 0;
  snprintf(source, sizeof source, "%s/kernel.c", p->temp);
  int length = snprintf(words, sizeof words, "%s %s %s %s -w -fPIC %s -o", c->command, c->flags,
                        a->flags ? a->flags : "", further, to);
  if (length >= (int)sizeof words || add_words(argv, &n, words) || n + 4 > MAX_ARGS)
    return snprintf(why, FG_WHY_SIZE, "too many compiler flags"), 1;
  argv[n++] = p->object, argv[n++] = source, argv[n++] = (char[]){"-lm"}, argv[n] = NULL;
  if (write_source(source, a, why)) return NO_ROOM;
  int status = fg_process_run(
      &(fg_process){.argv = argv, .temp = p->temp, .seconds = BUILD_SECONDS, .text = text, .size = sizeof text});
  if (status == 0) return 0;
  const char *no_room = status > 0 ? no_room_in(text) : NULL;
  if (no_room)
    snprintf(why, FG_WHY_SIZE, "%.200s: %s: %.200s", c->command, no_room, p->object);
  else if (status == FG_PROCESS_NOT_STARTED)
    snprintf(why, FG_WHY_SIZE, "%s cannot be started", c->command);
  else if (status == FG_PROCESS_TIMEOUT)
    snprintf(why, FG_WHY_SIZE, "%s took more than %d s and was stopped", c->command, BUILD_SECONDS);
  else if (status == FG_PROCESS_KILLED)
    snprintf(why, FG_WHY_SIZE, "%s was killed", c->command);
  else
    fg_host_first_error(text, why, c->command);
  return no_room ? NO_ROOM : FAILED;
}

static int make_place(place *p, const char *object, char why[FG_WHY_SIZE]) {
  int length;
  if (!fg_folder_make_in(p->root, p->temp, sizeof p->temp))
    return snprintf(why, FG_WHY_SIZE, "cannot make a directory in %.300s", p->root), NO_ROOM;
  if (object)
    length = snprintf(p->object, sizeof p->object, "%s%s", strchr(object, '/') ? "" : "./", object);
  else
    length = snprintf(p->object, sizeof p->object, "%s/kernel.so", p->temp);
  if (length < (int)sizeof p->object) return 0;
  remove_directory(p->temp);
  return snprintf(why, FG_WHY_SIZE, "%.300s: the name is too long", object ? object : p->temp), 1;
}

/* What every build begins with: the compiler, further flags, a place to work in. */
static int begin(compiler *c, char further[COMMAND_SIZE], place *p, const char *object, char why[FG_WHY_SIZE]) {
  pthread_mutex_lock(&lock);
  int status = find_compiler(c, why);
  snprintf(further, COMMAND_SIZE, "%s", state.flags);
  pthread_mutex_unlock(&lock);
  return status ? status : make_place(p, object, why);
}

/* Files of /proc are in memory. */
static bool is_on_disk(const char *folder) {
  struct statvfs fs;
  return statvfs(folder, &fs) != 0 || fs.f_blocks;
}

/* Less than a large kernel's assembly takes; a quota is seen only by what compilers say. */
static bool is_full(const char *folder) {
  enum { ROOM_MIB = 16 };
  struct statvfs fs;
  return statvfs(folder, &fs) == 0 && fs.f_blocks && (uint64_t)fs.f_bavail * fs.f_frsize < (uint64_t)ROOM_MIB << 20;
}

static void folder_of(const char *object, char folder[4096]) {
  snprintf(folder, 4096, "%s", strchr(object, '/') ? object : "./");
  strrchr(folder, '/')[1] = 0;
}

static int compile_in(const char *root, const fg_artifact *a, const char *object, char why[FG_WHY_SIZE]) {
  char further[COMMAND_SIZE];
  compiler c;
  place p = {.root = root};
  int status = begin(&c, further, &p, object, why);
  if (status) return status;
  status = compile(&c, a, TO_OBJECT, further, &p, why);
  if (status && is_full(p.temp)) status = NO_ROOM;
  remove_directory(p.temp);
  return status;
}

int fg_cc_compile(const fg_artifact *a, const char *object, char why[FG_WHY_SIZE]) {
  char folder[4096];
  int status = NO_ROOM;
  folder_of(object, folder);
  for (int i = 0; i < FG_FOLDER_ROOTS && status == NO_ROOM; i++) {
    const char *root = fg_folder_root_at(i);
    if (!root) continue;
    status = compile_in(root, a, object, why);
    if (status && is_full(folder)) return FG_CC_UNWRITTEN;
  }
  return status == NO_ROOM ? (is_on_disk(folder) ? FG_CC_UNWRITTEN : FAILED) : status;
}

static int build(const fg_artifact *a, fg_module **out, char why[FG_WHY_SIZE]) {
  char further[COMMAND_SIZE];
  compiler c;
  place p = {.root = fg_folder_root()};
  int status = begin(&c, further, &p, NULL, why);
  if (status) return status;
  status = compile(&c, a, TO_OBJECT, further, &p, why);
  if (!status) status = fg_host_module_load(a, p.object, out, why);
  remove_directory(p.temp); /* the loaded object stays mapped */
  return status;
}

/* ---- what compilers spill --------------------------------------------------- */

/* The source without the functions at its end that fill tables, and call libm. */
static fg_artifact without_filling(const fg_artifact *a) {
  fg_artifact kernels = *a;
  const char *last = NULL;
  for (const char *at = a->source; a->needs_init && (at = strstr(at, "#include <math.h>")); at++) last = at;
  if (last) kernels.source_bytes = (size_t)(last - a->source);
  return kernels;
}

static char *read_text(const char *path) {
  FILE *f = fopen(path, "r");
  char *text = NULL;
  size_t size = 0;
  if (f && getdelim(&text, &size, 0, f) < 0) free(text), text = NULL;
  if (f) fclose(f);
  return text;
}

/* The compiler once more, for its assembly. */
static int describe(const fg_module *m, const fg_artifact *a, char *text, size_t size) {
  (void)m;
  char further[COMMAND_SIZE], why[FG_WHY_SIZE];
  compiler c;
  place p = {.root = fg_folder_root()};
  *text = 0;
  if (begin(&c, further, &p, NULL, why)) return 1;
  snprintf(p.object, sizeof p.object, "%s/kernel.s", p.temp);
  fg_artifact kernels = without_filling(a);
  char *assembly = compile(&c, &kernels, TO_ASSEMBLY, further, &p, why) ? NULL : read_text(p.object);
  remove_directory(p.temp);
  if (!assembly) return 1;
  fg_spills spills = fg_spills_count(assembly);
  snprintf(text, size, "vectors spilled: %d instructions store one to the stack, %d read one from there", spills.stores,
           spills.loads);
  free(assembly);
  return 0;
}

static int option(const char *key, const char *value, char why[FG_WHY_SIZE]) {
  char *option = !strcmp(key, "compiler") ? state.compiler
                 : !strcmp(key, "flags")  ? state.flags
                 : !strcmp(key, "kind")   ? state.kind
                                          : NULL;
  if (!option) return snprintf(why, FG_WHY_SIZE, "cc: unknown option %.64s (compiler, flags, kind)", key), 1;
  if (option == state.kind && value && !fg_cc_is_kind(value))
    return snprintf(why, FG_WHY_SIZE, "cc: option kind: '%.64s' (gcc or clang, with or without a version)", value), 1;
  if (value && strlen(value) >= COMMAND_SIZE)
    return snprintf(why, FG_WHY_SIZE, "cc: option %s: at most %d characters", key, COMMAND_SIZE - 1), 1;
  pthread_mutex_lock(&lock);
  snprintf(option, COMMAND_SIZE, "%s", value ? value : "");
  *state.found.command = 0; /* ask again */
  pthread_mutex_unlock(&lock);
  return 0;
}

const fg_device fg_device_cc = {
    .name = "cc",
    .help = "C for this CPU by gcc or clang (--compiler)",
    .dialect = "c",
    .has_lanes = true,
    .on_host = true,
    .probe = probe,
    .build = build,
    .run = fg_host_module_run,
    .time = fg_host_module_time,
    .sample = fg_host_module_sample,
    .destroy = fg_host_module_destroy,
    .option = option,
    .describe = describe,
};
