/* Plans proved by running the library's own text over random prime fields: every length to MOST of every type, drawn
 * problems of all layouts, long lines. In: a seed, a number of drawn problems, the most points of a line of all lengths.
 * Out: how many plans were proved, by their methods and forms; 1 where one is wrong.
 * usage: proof SEED DRAWN MOST
 *
 * Codelets are taken by their definition: the build proves each. A plan's addresses do not depend on numbers, and its
 * results are polynomials in inputs and roots; one that is no transform has the transform's results for a random input
 * with a probability of its degree over the prime (Schwartz and Zippel). */
#include "problem.h"
#include "fftw/line/method.h"
#include <map>
#include <string>
#include <string.h>

static uint64_t seed;
static int proved, without, wrong;
static std::map<std::string, int> met; /* names in plans */

static int64_t draw(int64_t most) { return (int64_t)(fg_field_random(&seed) % (uint64_t)most); }

static void note(const char *plan) {
  for (const char *at = plan; *at; at++) {
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789-");
    if (!length || *at < 'a' || *at > 'z') continue;
    std::string name(at, length);
    size_t dash = name.find_last_of('-');
    if (dash != std::string::npos && strspn(name.c_str() + dash + 1, "0123456789") + dash + 1 == length) name.resize(dash);
    if (name[0] != 'x') met[name]++; /* a number of vectors */
    at += length - 1;
  }
}

static void prove(const problem *p) {
  char plan[4096];
  problem_verdict v = problem_prove(p, &seed, plan, sizeof plan);
  proved += v == PROBLEM_RIGHT, without += v == PROBLEM_NO_FIELD, wrong += v == PROBLEM_WRONG;
  if (v == PROBLEM_RIGHT) note(plan);
  if (v != PROBLEM_WRONG) return;
  problem_print(p, stdout);
  printf(": wrong\n%s\n", plan);
}

static void set_complex(problem *p) {
  fg_line_type last = p->rank ? p->type[p->rank - 1] : FG_LINE_FORWARD;
  p->complex_in = last <= FG_LINE_BACKWARD || last == FG_LINE_C2R;
  p->complex_out = last <= FG_LINE_R2C || last == FG_LINE_WHOLE;
  for (int d = 0; d < p->rank - 1; d++)
    if (last <= FG_LINE_C2R) p->type[d] = last == FG_LINE_R2C ? FG_LINE_FORWARD : last == FG_LINE_C2R ? FG_LINE_BACKWARD : last;
}

static int64_t least(fg_line_type type) { return type == FG_LINE_REDFT00 ? 2 : 1; }

/* ---- every length ----------------------------------------------------------------------- */

static void prove_line(fg_line_type type, int64_t n, int64_t count, bool in_place) {
  static const int rows[] = {1, 0}, columns[] = {0, 1};
  problem p = {};
  p.rank = 1, p.vectors = count > 1, p.type[0] = type, p.in_place = in_place;
  p.axis[0].n = n, p.axis[1].n = count;
  set_complex(&p);
  const int *order = draw(2) ? rows : columns;
  if (count == 1) order = columns;
  problem_lay_out(&p, order, order, 0);
  prove(&p);
}

static void prove_lengths(int64_t most) {
  for (int type = 0; type < FG_LINE_ACROSS_FORWARD; type++)
    for (int64_t n = least((fg_line_type)type); n <= (type <= FG_LINE_C2R ? most : most / 2); n++) {
      prove_line((fg_line_type)type, n, 1, false);
      if (n % 5 == 0) prove_line((fg_line_type)type, n, 2 + draw(20), type <= FG_LINE_BACKWARD && draw(2));
    }
}

/* All results of reals. */
static void prove_whole(int64_t most) {
  for (int64_t n = 1; n <= most; n++) {
    prove_line(FG_LINE_WHOLE, n, 1, false);
    if (n % 5 == 0) prove_line(FG_LINE_WHOLE, n, 2 + draw(20), false);
  }
}

static void prove_long(void) {
  static const int64_t length[] = {1009, 2003, 4096, 6000, 8192, 10007, 15625, 16384, 19683, 32768, 65536, 17 * 1009};
  for (int64_t n : length)
    prove_line(draw(2) ? FG_LINE_FORWARD : FG_LINE_BACKWARD, n, 1, draw(2));
}

/* Numbers whose parts are in two arrays. */
static void prove_parts(void) {
  for (int64_t n = 64; n <= 4096; n *= 2)
    for (int kind = 0; kind < 4; kind++) {
      problem p = {};
      p.rank = 1, p.vectors = 1, p.type[0] = kind % 2 ? FG_LINE_BACKWARD : FG_LINE_FORWARD, p.in_place = kind / 2;
      p.axis[0].n = n, p.axis[1].n = 1 + draw(3), p.split = true;
      set_complex(&p);
      static const int order[] = {1, 0};
      problem_lay_out(&p, order, order, 0);
      prove(&p);
    }
}

/* ---- drawn ones ---------------------------------------------------------------------------- */

static int64_t some_length(int64_t most) {
  int64_t n = 1 + draw(draw(2) ? most : most / 4 + 1);
  return draw(3) ? n : n > 32 ? n / 16 * 16 : n; /* what has passes, often */
}

static void shuffle(int *order, int count) {
  for (int i = 0; i < count; i++) order[i] = i;
  for (int i = count - 1; i > 0; i--) {
    int j = (int)draw(i + 1), x = order[i];
    order[i] = order[j], order[j] = x;
  }
}

static void turn_one(problem *p) { /* an axis backward */
  fg_dim *d = &p->axis[draw(p->rank + p->vectors)];
  if (draw(2) || p->in_place)
    d->is = -d->is, d->os = -d->os;
  else
    d->os = -d->os;
}

static void prove_drawn(void) {
  problem p = {};
  p.rank = (int)draw(8) == 0 ? 0 : 1 + (int)draw(3), p.vectors = (int)draw(3);
  int axes = p.rank + p.vectors;
  if (!axes) return;
  bool real_kinds = draw(3) == 0;
  static const int64_t most[] = {0, 200, 40, 16, 6, 5};
  for (int i = 0; i < axes; i++) {
    fg_line_type type = real_kinds ? (fg_line_type)(FG_LINE_R2HC + draw(FG_LINE_RODFT11 - FG_LINE_R2HC + 1))
                                   : (fg_line_type)draw(FG_LINE_C2R + 1);
    p.axis[i].n = i < p.rank ? some_length(i ? most[p.rank] / 2 + 1 : most[p.rank]) : 1 + draw(p.rank > 1 ? 5 : 24);
    if (i < p.rank) p.type[i] = type, p.axis[i].n += type == FG_LINE_REDFT00;
  }
  set_complex(&p);
  bool alike = p.complex_in == p.complex_out;
  p.split = p.complex_in && draw(4) == 0;
  if (!alike && p.split) p.split = p.rank > 0;
  p.in_place = draw(3) == 0 && !(p.split && !alike), p.preserve = draw(2), p.scaled = p.rank && draw(5) == 0;
  int in[PROBLEM_AXES], out[PROBLEM_AXES], room = (int)draw(2);
  shuffle(in, axes), shuffle(out, axes);
  bool turned = p.in_place && alike && draw(3) == 0; /* another order of the same memory */
  if (turned) room = 0;
  problem_lay_out(&p, in, p.in_place && !turned ? in : draw(2) && !turned ? in : out, room);
  if (alike && !turned && draw(4) == 0) turn_one(&p);
  prove(&p);
}

/* ---- what was met -------------------------------------------------------------------------- */

static int lacking(void) {
  static const char *const name[] = {
      "codelet", "dense", "ct", "two-factors", "rader", "bluestein", "real-even", "real-odd", "halfcomplex", "dct1",
      "dct2", "dct4-even", "dct4-odd", "across", "few", "whole", /* methods; forms */
      "copy", "one", "lines", "columns", "columns-copied", "columns-inside", "rows-inside", "parts", "pairs", "each",
      "gathered"};
  int count = 0;
  for (const char *n : name)
    if (!met[n]) printf("no plan has %s\n", n), count++;
  return count;
}

int main(int argc, char **argv) {
  if (argc != 4) return fprintf(stderr, "usage: proof SEED DRAWN MOST\n"), 2;
  seed = strtoull(argv[1], NULL, 0);
  prove_lengths(atoll(argv[3]));
  prove_whole(atoll(argv[3])), prove_long(), prove_parts();
  for (int i = 0; i < atoi(argv[2]); i++) prove_drawn();
  printf("%d plans proved, %d without a field, %d wrong:", proved, without, wrong);
  for (const auto &m : met) printf(" %s %d", m.first.c_str(), m.second);
  printf("\n");
  return wrong || lacking() || without > proved / 4;
}
