/* Assembly within the CUDA text: its lines, with registers for its operands. */
#include "targets/cuda/ptx_frame.h"
#include "targets/cuda/ptx_token.h"
#include "targets/cuda/ptx_value.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct assembly {
  int nstring, string[16]; /* tokens */
  int noperand;
  char operand[16][32];
  int nout;
  struct {
    int name;
    fg_ptx_value value;
  } out[16];
} assembly;

/* Its name has the value behind the assembly, which may take the one before. */
static void out_operand(fg_ptx *g, assembly *a, char kind) {
  int name = g->token[g->at].name;
  int class = kind == 'r' ? 2 : kind == 'h' ? 1 : kind == 'f' ? 4 : kind == 'd' ? 5 : 3;
  int reg = fg_ptx_register(g, class);
  fg_ptx_value x = {
      .type = g->bound[name].type, .reg = reg, .index = -1, .a = {reg, 0}, .low = INT32_MIN, .high = INT32_MAX};
  bool real = x.type == PTX_FLOAT || x.type == PTX_DOUBLE, pair = fg_ptx_is(g, g->at + 1, ".");
  if (pair || kind == 'l' || g->since[name].declared < g->around) fg_ptx_refuse(g, "assembly");
  if (real) x.reg = -1;
  snprintf(a->operand[a->noperand], 32, "%c%d", "phrqfd"[class], reg);
  a->out[a->nout].name = name, a->out[a->nout++].value = x;
  g->at++;
}

static void in_operand(fg_ptx *g, assembly *a, char kind) {
  fg_ptx_value x = fg_ptx_settle(g, fg_ptx_expression(g));
  char *text = a->operand[a->noperand];
  if (x.type == PTX_FLOAT || x.type == PTX_DOUBLE) {
    fg_ptx_operand_text(text, x.type, x.a);
    return;
  }
  if (x.type == PTX_POINTER && (x.shared || kind != 'l')) fg_ptx_refuse(g, "assembly");
  if (x.type == PTX_POINTER && x.add) {
    int reg = fg_ptx_register(g, 3);
    fg_ptx_write(g, "add.s64 q%d, q%d, %lld;", reg, x.reg, (long long)x.add);
    x.reg = reg;
  }
  snprintf(text, 32, "%c%d", kind == 'l' ? 'q' : kind, x.reg);
}

static void read_operands(fg_ptx *g, assembly *a, bool out) {
  while (g->token[g->at].kind == PTX_STRING && a->noperand < 16) {
    const fg_ptx_token *t = &g->token[g->at++];
    char kind = t->text[t->length - 2];
    fg_ptx_need(g, "(");
    if (t->text[1] == '+') fg_ptx_refuse(g, "assembly");
    if (out)
      out_operand(g, a, kind);
    else
      in_operand(g, a, kind);
    fg_ptx_need(g, ")");
    a->noperand++;
    if (!fg_ptx_take(g, ",")) return;
  }
}

static void write_assembly(fg_ptx *g, const assembly *a) {
  int unique = g->labels++;
  fg_ptx_put(g, "      \"");
  for (int i = 0; i < a->nstring; i++) {
    const fg_ptx_token *t = &g->token[a->string[i]];
    for (const char *c = t->text + 1; c < t->text + t->length - 1; c++) {
      if (*c != '%') {
        fg_ptx_put(g, "%c", *c);
      } else if (c[1] == '=') {
        fg_ptx_put(g, "%d", unique), c++;
      } else if (c[1] == '%') {
        fg_ptx_put(g, "%%%%"), c++;
      } else {
        char *end;
        long k = strtol(c + 1, &end, 10);
        if (end == c + 1 || k < 0 || k >= a->noperand) fg_ptx_refuse(g, "assembly");
        fg_ptx_put(g, "%s", a->operand[k]);
        c = end - 1;
      }
    }
  }
  fg_ptx_put(g, "\\n\"\n");
}

void fg_ptx_assemble(fg_ptx *g) {
  assembly a = {.nstring = 0};
  g->at++;
  bool is_volatile = fg_ptx_take(g, "volatile");
  fg_ptx_need(g, "(");
  while (g->token[g->at].kind == PTX_STRING && a.nstring < 16) a.string[a.nstring++] = g->at++;
  for (int part = 0; part < 3; part++) {
    if (fg_ptx_take(g, "::"))
      part++;
    else if (!fg_ptx_take(g, ":"))
      break;
    if (fg_ptx_is(g, g->at, ":")) continue;
    if (part < 2) read_operands(g, &a, part == 0);
    while (part >= 2 && g->token[g->at].kind == PTX_STRING) g->at++;
  }
  if (g->guard >= 0 && is_volatile) fg_ptx_refuse(g, "assembly");
  write_assembly(g, &a);
  for (int i = 0; i < a.nout; i++) g->bound[a.out[i].name] = a.out[i].value;
  fg_ptx_need(g, ")");
  fg_ptx_need(g, ";");
}
