/* Expressions by chance, of what docs/problem.md allows. In: what an element is. Out: text whose arrays all count: no
 * part of a complex number is left out, no factor is zero, and there are few operands. */
#include "draw_expression.h"
#include "numbers.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct writer {
  expression_wish *wish;
  char *text;
  int operands;
} writer;

enum { SIZE = 200, MOST_OPERANDS = 3, DEEPEST = 3 };

static long long below(writer *w, long long n) { return random_below(&w->wish->state, n); }

static void add(writer *w, const char *format, ...) {
  size_t used = strlen(w->text);
  va_list list;
  va_start(list, format);
  vsnprintf(w->text + used, SIZE - used, format, list);
  va_end(list);
}

static void add_real(writer *w, int deep);

static void add_number(writer *w) {
  static const char *const numbers[] = {"0.5", "2", "0.70710678", "1.25", "3", "1e-2", "pi"};
  add(w, "%s", numbers[below(w, 7)]);
}

static bool takes(writer *w) {
  bool more = w->operands < MOST_OPERANDS;
  w->operands += more;
  return more;
}

/* Never zero. */
static void add_index(writer *w) {
  char letter = w->wish->side ? 'k' : 'j';
  if (!takes(w))
    add_number(w);
  else if (w->wish->batches && below(w, 3) == 0)
    add(w, "(b+1)");
  else if (w->wish->rank == 1 && below(w, 2))
    add(w, "(%c+1)", letter);
  else
    add(w, "(%c%lld+0.5)", letter, below(w, w->wish->rank));
}

/* Each name has one kind of index. */
static void add_array(writer *w) {
  char letter = w->wish->side ? 'k' : 'j';
  if (!takes(w)) {
    add_number(w);
    return;
  }
  switch (below(w, 5)) {
  case 0: add(w, "g1[%c]", letter); break;
  case 1: add(w, "g2[b,%c]", letter); break;
  case 2: add(w, "g3[%c%d]", letter, w->wish->rank - 1); break;
  case 3: add(w, w->wish->batches ? "g4[c]" : "g4[b]"); break;
  default: add(w, "g5"); break;
  }
}

/* Both parts of x, as a real number. */
static void add_x(writer *w) {
  if (!w->wish->complex)
    add(w, "x");
  else
    add(w, "%s", (const char *[]){"abs(x)", "(re(x)-im(x))", "re(x)*im(x)", "max(im(x),re(x))"}[below(w, 4)]);
}

static void add_call(writer *w, int deep) {
  switch (below(w, 6)) {
  case 0: add(w, "log(2+abs("), add_real(w, deep), add(w, "))"); break;
  case 1: add(w, "log10(2+abs("), add_real(w, deep), add(w, "))"); break;
  case 2: add(w, "exp(-abs("), add_real(w, deep), add(w, ")/4)"); break;
  case 3: add(w, "sqrt(1+abs("), add_real(w, deep), add(w, "))"); break;
  case 4: add(w, "min("), add_real(w, deep), add(w, ","), add_real(w, deep), add(w, ")"); break;
  default: add(w, "max("), add_real(w, deep), add(w, ",-"), add_number(w), add(w, ")"); break;
  }
}

static void add_real(writer *w, int deep) {
  switch (below(w, deep >= DEEPEST ? 4 : 8)) {
  case 0: add_number(w); break;
  case 1: add_index(w); break;
  case 2: add_array(w); break;
  case 3: add_x(w); break;
  case 4: add(w, "("), add_real(w, deep + 1), add(w, "+"), add_real(w, deep + 1), add(w, ")"); break;
  case 5: add_real(w, deep + 1), add(w, "*"), add_real(w, deep + 1); break;
  case 6: add_real(w, deep + 1), add(w, "/(1+abs("), add_real(w, deep + 1), add(w, "))"); break;
  default: add_call(w, deep + 1); break;
  }
}

static void add_complex(writer *w) {
  switch (below(w, 7)) {
  case 0: add(w, "x*"), add_real(w, 1); break;
  case 1: add(w, "-x+"), add_real(w, 1); break;
  case 2: add(w, "complex(im(x)-"), add_real(w, 2), add(w, ",re(x))"); break;
  case 3: add(w, "conj(x)*x-x/"), add_number(w); break;
  case 4: add(w, "x/(2+abs("), add_real(w, 2), add(w, "))"); break;
  case 5: add(w, "x/complex(2+abs(x),"), add_real(w, 2), add(w, ")"); break;
  default: add(w, takes(w) ? w->wish->side ? "x*h_c[k]+" : "x*h_c[j]+" : "x*x+"), add_real(w, 2); break;
  }
}

bool draw_expression(expression_wish *wish, char *text) {
  writer w = {wish, text, 0};
  bool real = !wish->complex || (wish->may_be_real && below(&w, 3) == 0);
  *text = 0;
  if (!real)
    add_complex(&w);
  else
    add_x(&w), add(&w, "%s", below(&w, 2) ? "*" : "-"), add_real(&w, 1);
  if (strlen(text) < SIZE / 2) return real;
  snprintf(text, SIZE, real ? wish->complex ? "abs(x)" : "x*0.5" : "x*0.5");
  return real;
}
