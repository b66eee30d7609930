/* fg_wisdom: what was measured, one self-standing line of JSON for each fact.
 *
 *   {"fftgen":1,"device":"x86_64 ...","problem":"c2c f32 n=1024","target":"c",
 *    "plan":"stockham(16,8,8)","isa":"avx512","ns":812.5,"spread":0.01,
 *    "l2":1.1e-07,"compiler":"Debian clang ...","compiler_kind":"clang 19.1",
 *    "flags":"-O3 ...","generator":"0.2.0+...","date":"2026-11-28","made_by":"fftgen tune ...",
 *    "final":true,"check":"0123456789abcdef"}
 *
 * Nothing in a line is ever run or loaded: it says what was found, and this
 * machine's configuration says with what. `check` is a hash of the line before it. A line that is damaged, of a newer
 * schema or of another machine is skipped - never the file - and files are
 * merged by putting one behind the other: the best line wins. */
#ifndef FG_WISDOM_H
#define FG_WISDOM_H
#include "generator/problem/problem.h"
#include <stddef.h>

enum { FG_WISDOM_SCHEMA = 1 };

typedef struct fg_wisdom_entry {
  const char *device;   /* fg_fingerprint_host, or a GPU's */
  const char *problem;  /* canonical text */
  const char *target;   /* dialect */
  const char *plan;     /* text */
  const char *isa;      /* "" where there is none */
  double ns, spread;    /* of one call; distance of the quartiles over the median, negative: not known */
  double l2;            /* relative error that was measured */
  const char *compiler; /* its first line of --version, or the driver */
  const char *kind;     /* of that compiler, which was better than the usual one: "clang 19.1"; "" = the usual one */
  const char *flags;
  const char *generator; /* fg_version */
  const char *date;      /* of the measurement: "2026-11-28"; "": not said */
  const char *made_by;   /* its command line; "": not said */
  bool final;            /* the search was complete */
  bool has_command;      /* an old line, which says how its compiler was called: ignored */
} fg_wisdom_entry;

typedef enum fg_wisdom_kind { FG_WISDOM_GOOD, FG_WISDOM_DAMAGED, FG_WISDOM_NEWER, FG_WISDOM_BLANK } fg_wisdom_kind;

typedef struct fg_wisdom_line {
  fg_wisdom_kind kind;
  const char *text; /* as it was read, without its newline */
  size_t bytes;
  int number;            /* in its file, from 1 */
  const char *wrong;     /* DAMAGED: why */
  fg_wisdom_entry entry; /* GOOD */
} fg_wisdom_line;

typedef struct fg_wisdom {
  int count;
  fg_wisdom_line *line;
  int damaged, newer;
} fg_wisdom;

/* Called for each line that is skipped, and for errors after which reading continues. */
typedef struct fg_wisdom_warn {
  void (*call)(void *context, const char *message); /* NULL: silence */
  void *context;
} fg_wisdom_warn;

/* A problem as wisdom and caches name it: canonical, without batch dimensions of
 * length 1. */
char *fg_wisdom_problem(fg_context *cx, const fg_problem *p);
/* $FFTGEN_WISDOM, or the user's file; NULL without a home. */
const char *fg_wisdom_path(fg_arena *a);
/* Lines of a text; `name` is for warnings. Never fails. */
void fg_wisdom_parse(fg_context *cx, const char *name, const char *text, size_t bytes, fg_wisdom_warn warn,
                     fg_wisdom *out);
/* Warns about its lines that were skipped. */
void fg_wisdom_tell(fg_context *cx, fg_wisdom_warn warn, const char *name, const fg_wisdom *w);
/* A file that is not there is empty. FG_ESYS when it cannot be read. */
fg_status fg_wisdom_load(fg_context *cx, const char *path, fg_wisdom_warn warn, fg_wisdom *out);
/* The line of one entry, with its newline. */
char *fg_wisdom_print(fg_context *cx, const fg_wisdom_entry *e);
/* The faster of two; but an end of a search is worth more than a stop on its way. */
bool fg_wisdom_is_better(const fg_wisdom_entry *a, const fg_wisdom_entry *b);
/* The fastest final entry (else the fastest of all) for this device, problem and
 * target (fields of key); NULL: none. */
const fg_wisdom_entry *fg_wisdom_best(const fg_wisdom *w, const fg_wisdom_entry *key);
/* w without what a better line of the same device, problem and target (and
 * generator and compiler, when `careful`) makes useless. */
void fg_wisdom_reduce(fg_context *cx, fg_wisdom *w, bool careful);
/* The same without its damaged lines, to be added to another file. FG_EUSER: it has no good one. */
fg_status fg_wisdom_load_sound(fg_context *cx, const char *path, fg_wisdom_warn warn, fg_wisdom *out);
/* One wisdom behind the other. */
void fg_wisdom_join(fg_context *cx, fg_wisdom *w, const fg_wisdom *more);
#endif
