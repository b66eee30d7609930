/* Convolutions on a CPU, one thread, beside FFTW, MKL and KFR. A program against the installed library.
 *
 * In: problems of `conv` and `rconv`, dense, as draw_convolutions.sh writes them, behind " | " a plan. Out: a row for
 * each, geometric means of those in cache, whose arrays fit L2 together, and of those beyond.
 *
 * The opponents' planners know the arrays and are given time; each has its batches at once or one by one, whichever is
 * faster. Outputs are compared before anything is timed. Samples alternate; times are medians, of the thread's
 * processor time. */
#include "tuning/contender/opponent.h"
#include <fftgen/fftgen.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { OPPONENTS = 3, TURNS = 15, FEW_TURNS = 7, TRIALS = 3, PATIENT_POINTS = 1 << 15, MOST_ROWS = 4096 };
static const library *const opponents[OPPONENTS] = {&library_fftw, &library_mkl, &library_kfr};
static const double most_error[2] = {1e-5, 1e-12}; /* relative, of f32 and f64 */

typedef struct contest {
  double seconds; /* for each contender of a problem */
  fftgen_effort effort;
  const char *wisdom; /* the opponents' */
  const char *model;  /* NULL, or the program fftgen */
  const library *library[OPPONENTS];
  int libraries;
  double l2; /* bytes */
  struct row {
    bool near, is_double;
    double ratio[OPPONENTS]; /* NAN: it has no plan */
  } row[MOST_ROWS];
  int rows;
} contest;

typedef struct match { /* one problem's */
  conv_problem problem;
  fftgen_plan *plan;
  opponent opponent[OPPONENTS];
  void *in, *spectrum, *out, *other;
} match;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- problems ---------------------------------------------------------------------- */

static void parse_lengths(const char *word, conv_problem *p, const char *text) {
  const char *at = word;
  for (p->rank = 0; *at; p->rank++) {
    char *end;
    long n = strtol(at, &end, 10);
    if (end == at || n < 1 || n > 1 << 28 || p->rank == 3) fail(text, "these lengths are not measured here");
    p->n[p->rank] = (int)n;
    at = *end == 'x' ? end + 1 : end;
    if (*end && *end != 'x') fail(text, "these lengths are not measured here");
  }
}

static conv_problem parse(const char *text) {
  conv_problem p = {.batch = 1, .points = 1};
  char copy[512], *rest = NULL;
  snprintf(copy, sizeof copy, "%s", text);
  for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
    if (!strcmp(word, "rconv") || !strcmp(word, "f64"))
      *(*word == 'r' ? &p.real : &p.is_double) = true;
    else if (!strncmp(word, "n=", 2))
      parse_lengths(word + 2, &p, text);
    else if (!strncmp(word, "batch=", 6) && atol(word + 6) > 0)
      p.batch = atol(word + 6);
    else if (!strcmp(word, "spectrum=each"))
      p.each = true;
    else if (strcmp(word, "conv") && strcmp(word, "f32"))
      fail(text, "not measured here: allowed: conv|rconv f32|f64 n=A[xB[xC]] batch=N spectrum=each");
  }
  if (!p.rank) fail(text, "no lengths");
  for (int i = 0; i < p.rank; i++) p.points *= p.n[i];
  int last = p.n[p.rank - 1];
  p.half = p.real ? p.points / last * (last / 2 + 1) : p.points;
  return p;
}

static void draw(const conv_problem *p, void *array, size_t bytes, unsigned long seed) {
  size_t count = bytes / conv_number(p);
  for (size_t i = 0; i < count; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    double x = (double)(long)seed * 0x1p-63;
    if (p->is_double)
      ((double *)array)[i] = x;
    else
      ((float *)array)[i] = (float)x;
  }
}

/* ---- contenders --------------------------------------------------------------------- */

/* Number -1 is fftgen. */
static void run(const match *m, int contender, void *out) {
  if (contender >= 0) {
    opponent_run(&m->opponent[contender], m->in, m->spectrum, out);
    return;
  }
  const void *given[] = {m->spectrum};
  fftgen_arrays arrays = {.in = m->in, .out = out, .given = given};
  if (fftgen_execute_arrays(m->plan, &arrays) != FFTGEN_OK) fail("fftgen", "an execution failed");
}

/* Seconds of a call, by `repeat` of them after one. Without a plan NAN. */
static double sample(const match *m, int contender, long repeat) {
  if (contender >= 0 && !m->opponent[contender].plan) return NAN;
  run(m, contender, m->out);
  double start = now();
  for (long i = 0; i < repeat; i++) run(m, contender, m->out);
  return (now() - start) / (double)repeat;
}

static double difference(const conv_problem *p, const void *a, const void *b) {
  size_t count = conv_in_bytes(p) / conv_number(p);
  double error = 0, norm = 0;
  for (size_t i = 0; i < count; i++) {
    double x = p->is_double ? ((const double *)a)[i] : (double)((const float *)a)[i];
    double y = p->is_double ? ((const double *)b)[i] : (double)((const float *)b)[i];
    error += (x - y) * (x - y), norm += y * y;
  }
  return sqrt(error / norm);
}

/* The first plan of `PROGRAM plan`: libfftgen alone prefers what compiles soonest. */
static const char *plan_by_model(const char *program, const char *text) {
  static char said[4096];
  snprintf(said, sizeof said, "%s plan '%s' --json", program, text);
  FILE *pipe = popen(said, "r");
  size_t count = pipe ? fread(said, 1, sizeof said - 1, pipe) : 0;
  said[count] = 0;
  while (pipe && fgetc(pipe) != EOF) {}
  if (pipe) pclose(pipe);
  char *plan = strstr(said, "\"plan\":\""), *end = plan ? strchr(plan + 8, '"') : NULL;
  if (!end) fail(program, "says no plan");
  *end = 0;
  return plan + 8;
}

static void plan_ours(const contest *c, const char *text, const char *plan, match *m) {
  if (!plan && c->model) plan = plan_by_model(c->model, text);
  fftgen_options o = {.size = sizeof o, .concurrency = 1, .effort = c->effort, .plan = plan};
  fftgen_error error;
  if (fftgen_plan_create(text, &o, &m->plan, &error) != FFTGEN_OK) fail(text, error.message);
}

/* The faster of its two ways. None: its plan stays NULL. */
static void plan_opponent(const contest *c, int i, match *m) {
  const conv_problem *p = &m->problem;
  bool patient = p->points * p->batch <= PATIENT_POINTS;
  double best = INFINITY;
  for (int way = 0; way < (p->batch > 1 ? 2 : 1); way++) {
    opponent kept = m->opponent[i];
    if (!opponent_create(c->library[i], p, way, patient, m->in, m->out, &m->opponent[i])) {
      m->opponent[i] = kept;
      continue;
    }
    double least = INFINITY;
    for (int trial = 0; trial < TRIALS; trial++) least = fmin(least, sample(m, i, 1 + (long)(1e-4 / (least + 1e-5))));
    bool better = least < best;
    opponent_destroy(better ? &kept : &m->opponent[i]);
    if (!better) m->opponent[i] = kept;
    best = fmin(best, least);
  }
}

/* Any numbers; of several dimensions of reals the transform of any: libraries differ in what they make of a spectrum
 * that is none of reals. */
static void draw_spectrum(const contest *c, match *m) {
  const conv_problem *p = &m->problem;
  long count = p->each ? p->batch : 1;
  if (!p->real || p->rank == 1 || !c->libraries) {
    draw(p, m->spectrum, conv_spectrum_bytes(p), 2);
    return;
  }
  conv_problem filters = *p;
  filters.batch = count;
  void *plan = c->library[0]->plan(&filters, count, false, m->out, m->spectrum, m->other);
  if (!plan) fail(c->library[0]->name, "has no plan for the spectrum");
  draw(p, m->out, conv_in_bytes(&filters), 2);
  c->library[0]->there(plan, m->out, m->spectrum);
  c->library[0]->destroy(plan);
}

static match create(const contest *c, const char *text, const char *plan) {
  match m = {.problem = parse(text)};
  const conv_problem *p = &m.problem;
  m.in = conv_memory(conv_in_bytes(p)), m.spectrum = conv_memory(conv_spectrum_bytes(p));
  m.out = conv_memory(conv_in_bytes(p)), m.other = conv_memory(conv_in_bytes(p));
  plan_ours(c, text, plan, &m);
  for (int i = 0; i < c->libraries; i++) {
    plan_opponent(c, i, &m);
    if (c->wisdom && c->library[i]->remember) c->library[i]->remember(c->wisdom, true);
  }
  draw(p, m.in, conv_in_bytes(p), 1); /* planners write to the arrays */
  draw_spectrum(c, &m);
  return m;
}

static void destroy(match *m) {
  fftgen_plan_destroy(m->plan);
  for (int i = 0; i < OPPONENTS; i++) opponent_destroy(&m->opponent[i]);
  free(m->in), free(m->spectrum), free(m->out), free(m->other);
}

/* ---- measuring ----------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void check(const contest *c, const char *text, const match *m) {
  char why[128];
  run(m, -1, m->out);
  for (int i = 0; i < c->libraries; i++) {
    if (!m->opponent[i].plan) continue;
    run(m, i, m->other);
    double error = difference(&m->problem, m->out, m->other);
    snprintf(why, sizeof why, "differs from %s's output by %.1e", c->library[i]->name, error);
    if (!(error <= most_error[m->problem.is_double])) fail(text, why);
  }
}

static double median_of(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

/* Medians, [0] fftgen's; and of the ratios within a turn, which noise of the machine does not reach. */
static void measure(const contest *c, const match *m, double *median, double *ratio) {
  static double taken[1 + OPPONENTS][TURNS], ratios[OPPONENTS][TURNS];
  int contenders = 1 + c->libraries;
  double once = sample(m, -1, 1 + (long)(1e-4 / (sample(m, -1, 1) + 1e-7)));
  int turns = once * FEW_TURNS > c->seconds ? FEW_TURNS : TURNS;
  long repeat = (long)(c->seconds / turns / once) + 1;
  for (int t = 0; t < turns; t++) {
    for (int i = 0; i < contenders; i++) taken[(i + t) % contenders][t] = sample(m, (i + t) % contenders - 1, repeat);
    for (int i = 0; i < c->libraries; i++) ratios[i][t] = taken[i + 1][t] / taken[0][t];
  }
  for (int i = 0; i < contenders; i++) median[i] = median_of(taken[i], turns);
  for (int i = 0; i < c->libraries; i++) ratio[i] = median_of(ratios[i], turns);
}

static void print_row(const contest *c, const char *text, const match *m, const double *median) {
  fftgen_info info = {.size = sizeof info};
  fftgen_plan_info(m->plan, &info);
  const struct row *r = &c->row[c->rows - 1];
  printf("%-48s|%-6s|%12.3f", text, r->near ? "near" : "beyond", median[0] * 1e6);
  for (int i = 0; i < c->libraries; i++)
    if (isnan(r->ratio[i]))
      printf("|%12s |%6s", "-", "-");
    else
      printf("|%12.3f%s|%6.2f", median[i + 1] * 1e6, m->opponent[i].one_by_one ? "*" : " ", r->ratio[i]);
  printf("|%s\n", info.plan);
  fflush(stdout);
}

static void contend(contest *c, const char *line) {
  char text[512], *plan;
  double median[1 + OPPONENTS];
  snprintf(text, sizeof text, "%s", line);
  text[strcspn(text, "\n")] = 0;
  if (!*text || *text == '#' || c->rows == MOST_ROWS) return;
  plan = strstr(text, " | ");
  if (plan) *plan = 0, plan += 3;
  match m = create(c, text, plan);
  check(c, text, &m);
  struct row *r = &c->row[c->rows++];
  measure(c, &m, median, r->ratio);
  r->near = (double)(2 * conv_in_bytes(&m.problem) + conv_spectrum_bytes(&m.problem)) <= c->l2;
  r->is_double = m.problem.is_double;
  print_row(c, text, &m, median);
  destroy(&m);
}

/* of: 0 f32, 1 f64, 2 both */
static void print_mean(const contest *c, bool near, int of) {
  static const char *const names[] = {"f32", "f64", "all"};
  double sum[OPPONENTS] = {0}, least[OPPONENTS];
  int count = 0, with[OPPONENTS] = {0};
  for (int i = 0; i < OPPONENTS; i++) least[i] = INFINITY;
  for (int k = 0; k < c->rows; k++) {
    const struct row *r = &c->row[k];
    if (r->near != near || (of < 2 && r->is_double != of)) continue;
    count++;
    for (int i = 0; i < c->libraries; i++)
      if (!isnan(r->ratio[i])) sum[i] += log(r->ratio[i]), least[i] = fmin(least[i], r->ratio[i]), with[i]++;
  }
  if (!count) return;
  printf("%s, %s, %d problems:", near ? "in cache" : "beyond L2", names[of], count);
  const char *before = "";
  for (int i = 0; i < c->libraries; i++) {
    if (!with[i]) continue;
    printf("%s %.2f times %s's speed, %.2f at least", before, exp(sum[i] / with[i]), c->library[i]->name, least[i]);
    if (with[i] < count) printf(" (of %d)", with[i]);
    before = ";";
  }
  printf("\n");
}

/* ---- the program ---------------------------------------------------------------------- */

enum { OPPONENT = 256 }; /* values of options from here on are opponents' */
static const struct option options[] = {{"seconds", required_argument, 0, 's'},
                                        {"effort", required_argument, 0, 'e'},
                                        {"wisdom", required_argument, 0, 'w'},
                                        {"model", required_argument, 0, 'p'},
                                        {"help", no_argument, 0, 'h'},
                                        {"fftw", required_argument, 0, OPPONENT},
                                        {"mkl", required_argument, 0, OPPONENT + 1},
                                        {"kfr", required_argument, 0, OPPONENT + 2},
                                        {0}};
static const char usage[] =
    "usage: fftgen_convolutions [--seconds S] [--effort estimate|measure|patient] [--fftw FOLDER|none]\n"
    "                           [--mkl LIBRARY|none] [--kfr LIBRARY|none] [--wisdom FILE] [--model PROGRAM]\n"
    "                           [PROBLEM...]\n"
    "Problems are lines of the input where none is given. --effort: of fftgen's planner. --model: plans as `PROGRAM "
    "plan`\n"
    "says, in place of those that compile soonest. --wisdom: FFTW's, read and written. * behind a time: transforms of "
    "the batch one by one.\n";

static void add_library(contest *c, const library *l, const char *path) {
  if (path && !strcmp(path, "none")) return;
  const char *why = l->open(path);
  if (why)
    fprintf(stderr, "%s: %s; left out\n", l->name, why);
  else
    c->library[c->libraries++] = l;
}

static fftgen_effort effort_of(const char *name) {
  static const char *const names[] = {"estimate", "measure", "patient"};
  for (int i = 0; i < 3; i++)
    if (!strcmp(names[i], name)) return (fftgen_effort)i;
  fail(name, "no effort; allowed: estimate, measure, patient");
  return FFTGEN_ESTIMATE;
}

static double seconds_of(const char *text) { /* no locale is set */
  char *end;
  double seconds = strtod(text, &end);
  if (end == text || *end || !(seconds > 0)) fail(text, "no time; allowed: seconds above 0");
  return seconds;
}

int main(int argc, char **argv) {
  static contest c = {.seconds = 0.1};
  const char *paths[OPPONENTS] = {NULL};
  char line[512];
  for (int key; (key = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (key == 's') c.seconds = seconds_of(optarg);
    if (key == 'e') c.effort = effort_of(optarg);
    if (key == 'w') c.wisdom = optarg;
    if (key == 'p') c.model = optarg;
    if (key >= OPPONENT) paths[key - OPPONENT] = optarg;
    if (key == 'h' || key == '?') return fputs(usage, key == 'h' ? stdout : stderr), key == 'h' ? 0 : 2;
  }
  for (int i = 0; i < OPPONENTS; i++) add_library(&c, opponents[i], paths[i]);
  c.l2 = (double)sysconf(_SC_LEVEL2_CACHE_SIZE);
  for (int i = 0; c.wisdom && i < c.libraries; i++)
    if (c.library[i]->remember) c.library[i]->remember(c.wisdom, false);
  printf("%-48s|%-6s|%12s", "problem", "where", "fftgen us");
  for (int i = 0; i < c.libraries; i++) printf("|%9s us |ratio ", c.library[i]->name);
  printf("|plan\n");
  for (int i = optind; i < argc; i++) contend(&c, argv[i]);
  while (optind >= argc && fgets(line, sizeof line, stdin)) contend(&c, line);
  for (int near = 1; near >= 0; near--)
    for (int of = 0; of < 3; of++) print_mean(&c, near, of);
  return 0;
}
