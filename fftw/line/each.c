/* See each.h. In: a type of line and strides. Out: the codelet that does it, and how it is to walk.
 *
 * Halfcomplex order is r2c whose imaginary parts are stored backward from the array's end. Sine transforms are cosine
 * transforms with the order turned on one side and other signs of odd elements on the other (Martucci, "Symmetric
 * convolution and the discrete sine and cosine transforms", 1994). */
#include "fftw/line/each.h"

typedef struct row {
  fg_one_kind kind;
  bool exchanged, zeros, half_in, half_out;
  bool turned_in, turned_out; /* sines */
} row;

static const row rows[] = {
    [FG_LINE_FORWARD] = {.kind = FG_ONE_COMPLEX},
    [FG_LINE_BACKWARD] = {.kind = FG_ONE_COMPLEX, .exchanged = true},
    [FG_LINE_R2C] = {.kind = FG_ONE_R2C, .zeros = true},
    [FG_LINE_C2R] = {.kind = FG_ONE_C2R},
    [FG_LINE_R2HC] = {.kind = FG_ONE_R2C, .half_out = true},
    [FG_LINE_HC2R] = {.kind = FG_ONE_C2R, .half_in = true},
    [FG_LINE_DHT] = {.kind = FG_ONE_HARTLEY},
    [FG_LINE_REDFT00] = {.kind = FG_ONE_DCT1},
    [FG_LINE_REDFT01] = {.kind = FG_ONE_DCT3},
    [FG_LINE_REDFT10] = {.kind = FG_ONE_DCT2},
    [FG_LINE_REDFT11] = {.kind = FG_ONE_DCT4},
    [FG_LINE_RODFT00] = {.kind = FG_ONE_DST1},
    [FG_LINE_RODFT01] = {.kind = FG_ONE_DCT3, .turned_in = true},
    [FG_LINE_RODFT10] = {.kind = FG_ONE_DCT2, .turned_out = true},
    [FG_LINE_RODFT11] = {.kind = FG_ONE_DCT4, .turned_in = true},
};
enum { TYPES = sizeof rows / sizeof *rows };

bool fg_each_find(fg_each *e, fg_line_type type, int64_t n, ptrdiff_t is, ptrdiff_t os) {
  *e = (fg_each){.run = (int)type < TYPES ? fg_ones_find(rows[type].kind, n) : NULL};
  if (!e->run) return false;
  const row *r = &rows[type];
  e->way = r->exchanged                    ? FG_EACH_EXCHANGED
           : r->half_in                    ? FG_EACH_HALF_IN
           : r->half_out                   ? FG_EACH_HALF_OUT
           : r->turned_in || r->turned_out ? FG_EACH_MOVED
                                           : FG_EACH_AS_THEY_ARE;
  e->in = r->half_in ? n * is : r->turned_in ? (n - 1) * is : 0;
  e->out = r->half_out ? n * os : r->turned_out ? (n - 1) * os : 0;
  e->walk = (fg_walk){.is = r->turned_in ? -is : is,
                      .os = r->turned_out ? -os : os,
                      .im_is = r->half_in ? -is : is,
                      .im_os = r->half_out ? -os : os,
                      .odd_in = r->turned_out ? -1 : 1,
                      .odd_out = r->turned_in ? -1 : 1,
                      .zeros = r->zeros,
                      .count = 1};
  return true;
}
