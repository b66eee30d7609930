/* Hostile recipes, at random: `fftgen plan` runs each, and must end within the sandbox's limits of processor time
 * and memory, with plans or with one printable line that contains no address; the same line each time.
 *
 * In: hostile.def, a list of what such recipes do. The idea: a file is a few of these, in any of the places that run
 * (the file itself, applies, plans, what is returned).
 * usage: hostile FFTGEN [--seed S] [--first I] [--count N] [--show I] */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* As sandbox.h and docs/adding.md have it; beside it the program itself, and its own planning. */
enum { SECONDS = 30, MORE_SECONDS = 10, MEBIBYTES = 64, MORE_MEBIBYTES = 64, WALL_SECONDS = 900, MOST_TEXT = 1 << 20 };

#define FRAGMENT(text) text,
#define GIVEN(text)
#define TEXT(text)
#define MANY(text)
static const char *const fragments[] = {
#include "hostile.def"
};
#undef FRAGMENT
#undef GIVEN
#define FRAGMENT(text)
#define GIVEN(text) text,
static const char *const given[] = {
#include "hostile.def"
};
#undef GIVEN
#undef TEXT
#define GIVEN(text)
#define TEXT(text) text,
static const char *const texts[] = {
#include "hostile.def"
};
#undef TEXT
#undef MANY
#define TEXT(text)
#define MANY(text) text,
static const char *const many[] = {
#include "hostile.def"
};
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

/* ---- by chance ----------------------------------------------------------------- */

static uint64_t state;

static uint64_t draw(void) { /* splitmix64: Steele, Lea, Flood (2014) */
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static int below(int n) { return (int)(draw() % (uint64_t)n); }

#define PICK(list) ((list)[below(COUNT(list))])

/* ---- files --------------------------------------------------------------------- */

typedef struct file {
  char *text;
  size_t length;
} file;

static void add(file *f, const char *text, size_t length) {
  if (f->length + length >= MOST_TEXT) return;
  memcpy(f->text + f->length, text, length);
  f->length += length;
}

static void print(file *f, const char *format, ...) {
  char text[64];
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  add(f, text, (size_t)length);
}

static void print_integer(file *f) {
  static const char *const special[] = {"0",         "-1",    "60",      "math.maxinteger", "math.mininteger",
                                        "(1 << 62)", "1e308", "(0 / 0)", "-math.huge"};
  if (below(2))
    print(f, "%s", PICK(special));
  else
    print(f, "%" PRId64, (int64_t)draw() >> below(64));
}

static void print_text(file *f) {
  static const char *const special[] = {
      "''",    "'direct'",           "'%d%s'",           "'%p'",          "'a*b'",
      "'\\0'", "'\\xff\\u{10ffff}'", "('x'):rep(65000)", "'/etc/passwd'", "'; os.exit()'"};
  add(f, "(", 1);
  print(f, "%s", PICK(special));
  add(f, ")", 1);
}

static void print_value(file *f) {
  static const char *const special[] = {"nil",       "true", "{}",       "print",  "function() end",
                                        "math.huge", "fft",  "{ 1, 2 }", "'text'", "_ENV"};
  add(f, "(", 1);
  if (below(4))
    print(f, "%s", PICK(special));
  else
    print_integer(f);
  add(f, ")", 1);
}

static void print_name(file *f) {
  static const char *const names[] = {
      "pcall",      "xpcall",        "setmetatable",    "getmetatable", "rawset",           "rawequal",
      "load",       "loadstring",    "dofile",          "require",      "collectgarbage",   "os.execute",
      "io.open",    "debug.getinfo", "debug.sethook",   "string.dump",  "coroutine.create", "next",
      "table.move", "math.random",   "package.loadlib", "_G.pcall",     "string.gsub"};
  print(f, "%s", PICK(names));
}

/* A piece with its $N, $S, $K, $T, $V, $B and $I filled in. */
static void fill_in(file *f, const char *piece, int number) {
  for (const char *at = piece, *next; *at; at = next) {
    next = strchr(at, '$');
    if (!next) next = at + strlen(at);
    add(f, at, (size_t)(next - at));
    if (!*next) return;
    switch (next[1]) {
    case 'N': print_integer(f); break;
    case 'S': print(f, "%d", below(100)); break;
    case 'K': print(f, "%d", 1 << below(18)); break;
    case 'T': print_text(f); break;
    case 'V': print_value(f); break;
    case 'B': print_name(f); break;
    case 'I': print(f, "%d", number); break;
    }
    next += 2;
  }
}

/* One fragment in so many is there. */
static void some(file *f, int one_in) {
  for (int i = 0; i < 2; i++) {
    if (below(one_in)) continue;
    add(f, "do ", 3);
    fill_in(f, PICK(fragments), 0);
    add(f, " end\n", 5);
  }
}

static void make(file *f) {
  f->length = 0;
  int kind = below(20);
  if (kind == 0) {
    fill_in(f, PICK(texts), 0);
  } else if (kind == 1) {
    const char *piece = PICK(many);
    for (int i = 0, count = 1 << below(18); i < count; i++) fill_in(f, piece, i);
  } else {
    int one_in = kind < 10 ? 1 << 30 : 6; /* or only the answer is no good */
    some(f, one_in);
    print(f, "function applies(problem, device)\n");
    some(f, one_in);
    print(f, "return true end\nfunction plans(problem, device)\n");
    some(f, one_in / 3);
    print(f, "return ");
    fill_in(f, PICK(given), 0);
    print(f, "\nend\n");
  }
}

/* ---- running ---------------------------------------------------------------------- */

static const char *fftgen;
static char folder[] = "/tmp/fftgen-hostile-XXXXXX", recipe[64], out[64], err[64];

typedef struct ended {
  int status; /* of wait */
  double seconds;
  long mebibytes;
  char said[4096], wrote[65536]; /* on standard error and output */
} ended;

static void read_all(const char *path, char *text, size_t size) {
  FILE *f = fopen(path, "rb");
  size_t length = f ? fread(text, 1, size - 1, f) : 0;
  text[length] = 0;
  for (size_t i = 0; i < length; i++)
    if (!text[i]) text[i] = 1;
  if (f) fclose(f);
}

static void run(const char *problem, ended *e) {
  struct rusage used = {0};
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(WALL_SECONDS);
    if (!freopen(out, "w", stdout) || !freopen(err, "w", stderr)) _exit(99);
    execl(fftgen, fftgen, "plan", problem, "--isa", "scalar", "--recipe", recipe, (char *)NULL);
    _exit(99);
  }
  if (child < 0 || wait4(child, &e->status, 0, &used) != child) exit(2);
  e->seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
               (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
  e->mebibytes = used.ru_maxrss / 1024;
  read_all(err, e->said, sizeof e->said);
  read_all(out, e->wrote, sizeof e->wrote);
}

/* 0x and eight digits and more, but for the least integer. */
static bool has_address(const char *text) {
  for (const char *at = text; (at = strstr(at, "0x")); at += 2)
    if (strspn(at + 2, "0123456789abcdef") >= 8 && strncmp(at, "0x8000000000000000", 18) != 0) return true;
  return false;
}

static const char *wrong_line(const char *said) {
  size_t length = strlen(said);
  if (strncmp(said, "fftgen: ", 8) != 0) return "no message";
  if (strchr(said, '\n') != said + length - 1) return "not one line";
  for (size_t i = 0; i + 1 < length; i++)
    if ((unsigned char)said[i] < ' ' || said[i] == 127) return "characters that are not printed";
  return NULL;
}

/* NULL, or what is wrong. */
static const char *judge(const ended *e) {
  if (WIFSIGNALED(e->status)) return WTERMSIG(e->status) == SIGALRM ? "no end" : "ended by a signal";
  int code = WEXITSTATUS(e->status);
  if (code != 0 && code != 2) return "an exit code that is not 0 or 2";
  if (e->seconds > SECONDS + MORE_SECONDS) return "too much processor time";
  if (e->mebibytes > MEBIBYTES + MORE_MEBIBYTES) return "too much memory";
  if (has_address(e->said) || has_address(e->wrote)) return "an address";
  return code ? wrong_line(e->said) : NULL;
}

static void write_recipe(const file *f) {
  FILE *to = fopen(recipe, "wb");
  if (!to || fwrite(f->text, 1, f->length, to) != f->length || fclose(to)) exit(2);
}

typedef struct most { /* of all */
  double seconds, sum;
  long mebibytes;
  int slowest, largest, plans, refused;
} most;

static bool try_one(uint64_t seed, int i, file *f, most *m) {
  static const char *const problems[] = {"c2c f32 n=60", "r2c f64 n=32 batch=3", "dct2 f32 n=16", "c2c f32 n=8x12"};
  static ended e, again;
  state = seed * 1000003 + (uint64_t)i;
  const char *problem = PICK(problems);
  make(f);
  write_recipe(f);
  run(problem, &e);
  const char *wrong = judge(&e);
  if (!wrong && e.seconds < .2) { /* what takes longer may end by the clock */
    run(problem, &again);
    if (strcmp(e.said, again.said) || strcmp(e.wrote, again.wrote)) wrong = "another answer the second time";
  }
  m->sum += e.seconds;
  if (e.seconds > m->seconds) m->seconds = e.seconds, m->slowest = i;
  if (e.mebibytes > m->mebibytes) m->mebibytes = e.mebibytes, m->largest = i;
  *(e.status ? &m->refused : &m->plans) += 1;
  if (wrong)
    printf("FAIL: %s: %s, %.1f s, %ld MiB: %.300s\n  hostile FFTGEN --seed %" PRIu64 " --show %d\n", wrong, problem,
           e.seconds, e.mebibytes, e.said, seed, i);
  return !wrong;
}

int main(int argc, char **argv) {
  uint64_t seed = (uint64_t)time(NULL);
  int first = 0, count = 60, show = -1, bad = 0;
  for (int i = 2; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--seed")) seed = strtoull(argv[i + 1], NULL, 10);
    if (!strcmp(argv[i], "--count")) count = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--first")) first = atoi(argv[i + 1]);
    if (!strcmp(argv[i], "--show")) first = show = atoi(argv[i + 1]), count = 1;
  }
  if (argc < 2 || argc % 2) return puts("usage: hostile FFTGEN [--seed S] [--first I] [--count N] [--show I]"), 2;
  fftgen = argv[1];
  file f = {.text = malloc(MOST_TEXT)};
  most m = {0};
  if (!f.text || !mkdtemp(folder)) return 2;
  snprintf(recipe, sizeof recipe, "%s/mine.lua", folder);
  snprintf(out, sizeof out, "%s/out", folder);
  snprintf(err, sizeof err, "%s/err", folder);
  for (int i = first; i < first + count; i++) bad += !try_one(seed, i, &f, &m);
  if (show >= 0) fwrite(f.text, 1, f.length, stdout);
  printf("seed %" PRIu64 ": %d recipes, %d with plans, %d refused, %d not as they should be; longest %.1f s (%d), most "
         "memory %ld MiB (%d), %.0f s in all\n",
         seed, m.plans + m.refused, m.plans, m.refused, bad, m.seconds, m.slowest, m.mebibytes, m.largest, m.sum);
  remove(recipe), remove(out), remove(err), rmdir(folder);
  free(f.text);
  return bad != 0;
}
