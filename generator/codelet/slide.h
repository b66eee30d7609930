/* Slide: operations of a schedule move to where fewer values are alive. */
#ifndef FG_SLIDE_H
#define FG_SLIDE_H
#include "generator/codelet/schedule.h"

typedef struct fg_users { /* users of node v: user[first[v]] .. user[first[v + 1] - 1], ascending */
  uint32_t *first;
  fg_node *user;
} fg_users;

/* Of nodes that an output needs. */
fg_users fg_slide_users_create(fg_context *cx, const fg_codelet *c, const bool *needed);

typedef struct fg_slide fg_slide; /* room for schedules of one codelet */

fg_slide *fg_slide_create(fg_context *cx, const fg_codelet *c, fg_users users);
/* Changes s->order; operands stay before users. */
void fg_slide_order(fg_slide *l, fg_schedule *s);
#endif
