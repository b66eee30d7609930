/* Routes: accesses, compiled for a walk. What a digit's value adds to an address, and
 * what slots add to each other, is known once parameters have values; what is left to
 * do for an instance are a few products and sums. */
#ifndef FG_ROUTE_H
#define FG_ROUTE_H
#include "generator/ir/walk.h"

typedef struct fg_linear { /* an affine function of digit values, parameters put in */
  int64_t offset;
  int nterm;
  int16_t digit[FG_MAX_TERMS];
  int64_t coef[FG_MAX_TERMS];
  int64_t slot_coef; /* of the slot digit */
} fg_linear;

typedef struct fg_route fg_route;
struct fg_route { /* an access, compiled */
  const fg_access *access;
  int slots;
  int64_t *slot_value; /* value of the slot digit */
  bool idle;           /* its addresses are not wanted */
  bool straight;       /* its slots are at constant offsets from the first, in bounds, before padding */
  int64_t *ahead;
  fg_linear at, base, pred[FG_MAX_PREDS];
  int64_t scale;
  const int32_t *table; /* NULL: none */
  int64_t entries;
  int64_t bound[FG_MAX_PREDS];
  fg_linear wrap[FG_MAX_RANK];
  int64_t stride[FG_MAX_RANK];
  int64_t *address;
  unsigned char *on;
  fg_moves moves;
  fg_route *rest; /* of the access behind it */
};

typedef struct fg_site { /* where accesses are compiled: a kernel of a program, at values of its parameters */
  fg_context *cx;
  const fg_program *p;
  const fg_kernel *k;
  const int64_t *params;
  bool local;                           /* of addresses, those of shared memory alone are wanted */
  char *why;                            /* 200 bytes: what contradicts what */
  bool wrong;                           /* why is set */
  const int32_t *table[FG_MAX_BUFFERS]; /* index tables that were filled */
} fg_site;

/* Addresses wrap instead of overflowing: a bound check will see them. */
static inline int64_t fg_wrap_add(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }
static inline int64_t fg_wrap_mul(int64_t a, int64_t b) { return (int64_t)((uint64_t)a * (uint64_t)b); }

/* Returns false, always. */
bool fg_site_contradiction(fg_site *s, const char *what, const char *name);
static inline int64_t fg_site_extent(const fg_site *s, int digit) {
  return fg_digit_extent(&s->k->digit[digit], s->params);
}
/* slot: the digit whose coefficient is apart; -1: none. */
fg_linear fg_linear_compile(const fg_site *s, const fg_affine *a, int slot);
int64_t fg_linear_value(const fg_linear *l, const int64_t *value);

/* False, with the reason in the site, where the access contradicts its program. */
bool fg_route_compile(fg_site *s, const fg_access *a, fg_route *r);
/* Routes of operands of what is moved by `of`: their slots are the same. */
bool fg_route_compile_operations(fg_site *s, const fg_operations *operations, const fg_route *of, fg_route **out);
/* Says to a route's moves what becomes of their elements. */
void fg_route_add_operations(fg_route *r, const fg_operations *operations, fg_route *const *operand);
/* Numbers that it and its continuation move. */
int fg_route_numbers(const fg_program *p, const fg_route *r);
typedef struct fg_instance { /* of a stage: what runs it at certain digit values */
  const int64_t *value;
  int width, number;    /* of its SIMD group; in it */
  unsigned char active; /* the stage's guard holds */
} fg_instance;
/* Its addresses, where they are wanted. */
void fg_route_target(fg_route *r, const fg_instance *n);
#endif
