/* Loads and stores. In: pointers and values. Out: accesses of memory, where a condition holds if there is one.
 *
 * Bytes and 16-bit integers are integers in registers; halves have registers of their own. */
#include "targets/cuda/ptx_memory.h"
#include "targets/cuda/ptx_frame.h"
#include "targets/cuda/ptx_value.h"
#include <stdio.h>

enum { H = 1, R, Q, F, D };

static const struct kind { /* of what is in memory */
  int bytes, class;
  const char *load, *store; /* suffixes of instructions; NULL: none */
} kinds[] = {[PTX_BYTE] = {1, R, "u8", "u8"},
             [PTX_SIGNED] = {2, R, "s16", "u16"},
             [PTX_SHORT] = {2, H, "u16", "u16"},
             [PTX_INT] = {4, R, "u32", "u32"},
             [PTX_WIDE] = {8, Q, NULL, NULL},
             [PTX_FLOAT] = {4, F, "f32", "f32"},
             [PTX_DOUBLE] = {8, D, "f64", "f64"},
             [PTX_FLOAT2] = {8, F, "v2.f32", "v2.f32"},
             [PTX_DOUBLE2] = {16, D, "v2.f64", "v2.f64"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

int fg_ptx_size(uint8_t type) { return type < KINDS ? kinds[type].bytes : 0; }

static const struct kind *kind_of(fg_ptx *g, const fg_ptx_value *p, const char *what) {
  if (p->type != PTX_POINTER || p->target >= KINDS || !kinds[p->target].load) fg_ptx_refuse(g, what);
  return &kinds[p->target];
}

static bool is_pair(uint8_t type) { return type == PTX_FLOAT2 || type == PTX_DOUBLE2; }

static const char *guard_text(const fg_ptx *g, char text[24]) {
  *text = 0;
  if (g->guard >= 0) snprintf(text, 24, "@p%d ", g->guard);
  return text;
}

/* Where hardly a second block fits beside one, what waits for what decides, and NVRTC's own order is the better one. */
enum { MOST_SHARED = 72 << 10 };

static const char *address(fg_ptx *g, fg_ptx_value p, char text[48]) {
  p = fg_ptx_settle(g, p);
  if (p.shared && p.add > MOST_SHARED) fg_ptx_refuse(g, "a block of much memory");
  snprintf(text, 48, p.add ? "[%c%d+%lld]" : "[%c%d]", p.shared ? 'r' : 'q', p.reg, (long long)p.add);
  return text;
}

/* An address of memory without stores is loaded from once. A pair takes two registers. */
static int load_register(fg_ptx *g, fg_ptx_value *p, int class, bool *had) {
  static const uint8_t of[] = {[H] = PTX_SHORT, [R] = PTX_INT, [F] = PTX_FLOAT, [D] = PTX_DOUBLE};
  char op[16];
  *p = fg_ptx_settle(g, *p);
  snprintf(op, sizeof op, "ld %d %d", p->target, g->guard);
  int reg = g->next[class];
  bool constant = p->only_read && !p->shared;
  if (constant)
    reg = fg_ptx_done(g, op, of[class], (fg_ptx_memo){.a = p->reg, .b = p->add});
  else
    g->next[class]++;
  *had = reg >= 0 && constant;
  if (!*had && is_pair(p->target)) g->next[class]++;
  return reg < 0 ? -1 - reg : reg;
}

/* Bounds of what integers in memory may be; those of tables are places: not negative. */
static void set_bounds(fg_ptx_value *r, uint8_t target) {
  r->low = target == PTX_SIGNED ? INT16_MIN : 0;
  r->high = target == PTX_BYTE     ? UINT8_MAX
            : target == PTX_SIGNED ? INT16_MAX
            : target == PTX_SHORT  ? UINT16_MAX
                                   : INT32_MAX;
}

static void put_zeros(fg_ptx *g, int class, int a, int b) {
  static const char *const zero[] = {[H] = "mov.u16 h%d, 0;",
                                     [R] = "mov.u32 r%d, 0;",
                                     [F] = "mov.f32 f%d, 0f00000000;",
                                     [D] = "mov.f64 d%d, 0d0000000000000000;"};
  fg_ptx_write(g, zero[class], a);
  if (b >= 0) fg_ptx_write(g, zero[class], b);
}

fg_ptx_value fg_ptx_load(fg_ptx *g, fg_ptx_value p) {
  char where[48], when[24];
  const struct kind *kind = kind_of(g, &p, "a load");
  int class = kind->class;
  bool pair = is_pair(p.target), real = class == F || class == D, had;
  char name = "phrqfd"[class];
  int a = load_register(g, &p, class, &had), b = pair ? a + 1 : -1;
  uint8_t type = real ? p.target : class == H ? PTX_SHORT : PTX_INT;
  fg_ptx_value r = {.type = type, .index = -1, .reg = real ? -1 : a, .a = {a, 0}, .b = {b, 0}};
  if (!real) set_bounds(&r, p.target);
  g->loaded = g->guard >= 0;
  if (had) return r;
  address(g, p, where);
  if (g->guard >= 0) put_zeros(g, class, a, b);
  const char *space = p.shared ? "shared" : p.only_read ? "global.nc" : "global";
  guard_text(g, when);
  if (pair)
    fg_ptx_write(g, "%sld.%s.%s {%c%d, %c%d}, %s;", when, space, kind->load, name, a, name, b, where);
  else
    fg_ptx_write(g, "%sld.%s.%s %c%d, %s;", when, space, kind->load, name, a, where);
  return r;
}

void fg_ptx_store(fg_ptx *g, fg_ptx_value p, fg_ptx_value x) {
  char where[48], when[24], a[32], b[32];
  const struct kind *kind = kind_of(g, &p, "a store");
  const char *space = p.shared ? "shared" : "global";
  x = fg_ptx_convert(g, x, p.target);
  if (!is_pair(x.type)) x = fg_ptx_settle(g, x);
  address(g, p, where);
  guard_text(g, when);
  fg_ptx_operand_text(a, x.type, x.a);
  if (kind->class == H || kind->class == R)
    fg_ptx_write(g, "%sst.%s.%s %s, %c%d;", when, space, kind->store, where, "phr"[kind->class], x.reg);
  else if (!is_pair(x.type))
    fg_ptx_write(g, "%sst.%s.%s %s, %s;", when, space, kind->store, where, a);
  else
    fg_ptx_write(g, "%sst.%s.%s %s, {%s, %s};", when, space, kind->store, where, a,
                 fg_ptx_operand_text(b, x.type, x.b));
}
