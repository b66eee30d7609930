/* fg_serve: which line of wisdom a problem uses, and how similar its own problem is.
 *
 * A line may be used for problems that differ from its own in the sign, the scale, the place, the number of transforms
 * in a batch, or as c2r differs from r2c. If its plan does not fit the problem, the next line is taken. It is also used
 * for another version of the driver, and for other models by the table in shipped.c. The most similar line is taken;
 * of equally similar ones the better. */
#ifndef FG_SERVE_H
#define FG_SERVE_H
#include "runtime/store/wisdom.h"
#include "targets/machine/machine.h"

/* Parts of a distance, larger ones first; it is their sum. */
enum {
  FG_SERVE_SIGN = 1,      /* the other sign */
  FG_SERVE_DRIVER = 2,    /* another version of the driver */
  FG_SERVE_BATCH = 4,     /* for each factor of two in the number of transforms */
  FG_SERVE_SCALE = 256,   /* another factor of the results: one product for each */
  FG_SERVE_PLACE = 512,   /* in place for out of place, or the other way */
  FG_SERVE_MIRROR = 1024, /* c2r for r2c, or the other way */
  FG_SERVE_TIMES =
      4, /* factors of two by which numbers of transforms may differ on CPUs: what stays in a cache differs */
  FG_SERVE_FEWER = 8 /* on GPUs, by which there may be fewer, for want of which threads are idle; there may be more */
};

typedef struct fg_served {
  const fg_wisdom_entry *entry; /* NULL: none */
  int distance;                 /* 0: this very problem on this very device */
  int line;                     /* its number in the file; 0: shipped */
} fg_served;

/* Whether a call does as much work as one of the line's: the number of transforms does not differ. */
static inline bool fg_serve_same_work(int distance) { return !(distance & (FG_SERVE_SCALE - FG_SERVE_BATCH)); }
/* From a line's problem to the one that is asked for, both canonical texts; -1: it does not serve. */
int fg_serve_problem(const char *known, const char *asked, bool gpu);
/* From a line's device to the one that is asked for: 0, FG_SERVE_DRIVER or -1. */
int fg_serve_device(const char *known, const char *asked);
/* The same to a machine of the table: 0 where its driver's name says so, FG_SERVE_DRIVER for another one of its
 * architecture. */
int fg_serve_machine(const char *known, const fg_machine *asked);

typedef struct fg_serve_key {
  const char *problem, *target;
  const char *device;        /* NULL: the machine's, or any */
  const fg_machine *machine; /* NULL: the device's */
  const char *isa;           /* NULL: any */
  /* Whether a line's plan is one of the problem, at this distance; NULL: it is not asked. */
  bool (*fits)(void *context, const fg_wisdom_line *line, int distance);
  void *context;
} fg_serve_key;

fg_served fg_serve_find(const fg_wisdom *w, const fg_serve_key *key);
/* The nearer one, of equals the first; both may be none. */
fg_served fg_serve_nearer(fg_served a, fg_served b);
/* What a user is told: "line 12: measured for "c2c f32 n=8", under another driver". */
const char *fg_serve_note(fg_arena *a, const fg_served *s);
#endif
