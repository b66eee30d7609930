/* What is stored to buffers that may be values (forward.c). */
#ifndef FG_LOWER_FORWARD_STATE_H
#define FG_LOWER_FORWARD_STATE_H
#include "generator/lower/writer.h"

typedef struct fg_piece { /* a vector that was stored */
  int16_t buffer;
  bool over;  /* other numbers are there now */
  int64_t at; /* real number in the buffer */
  int lanes;
} fg_piece;

struct fg_forward {
  bool tracked[FG_MAX_BUFFERS], spoilt[FG_MAX_BUFFERS];
  int npiece, room;
  fg_piece *piece;
  bool *loaded; /* by number of the piece; kept from the first time */
  bool decided; /* the second time */
};

/* May be held. */
static inline bool fg_forward_is_tracked(const fg_writer *w, const fg_access_plan *p) {
  return w->e->forward && w->e->forward->tracked[p->a->buffer];
}

static inline bool fg_forward_is_held(const fg_writer *w, const fg_access_plan *p) {
  return fg_forward_is_tracked(w, p) && w->e->held[p->a->buffer];
}

/* This buffer must be memory. */
static inline void fg_forward_spoil(const fg_writer *w, const fg_access_plan *p) {
  if (fg_forward_is_tracked(w, p)) w->e->forward->spoilt[p->a->buffer] = true;
}
#endif
