/* The tuning parameters of plans: a table, the names of values, and older names. */
#ifndef FG_PARAM_H
#define FG_PARAM_H
#include "generator/base/strbuf.h"
#include <stdbool.h>
#include <stdint.h>

/* Values of an OPTION: auto, a rule of the emitter decides; off; on wherever it applies; the opposite of the rule,
 * which plans written before options had names use. */
enum { FG_OPTION_AUTO, FG_OPTION_OFF, FG_OPTION_ON, FG_OPTION_OTHER };
#define FG_OPTION_VALUES "auto off on other"

/* params.def: one line each. */
#define PARAM(NAME, text, lo, hi, preset, values, help) FG_PARAM_##NAME,
typedef enum fg_param_id {
#include "generator/plan/params.def"
  FG_PARAM_COUNT
} fg_param_id;
#undef PARAM

typedef struct fg_param_info {
  const char *name, *help;
  int64_t lo, hi, preset;
  const char *values; /* names of lo, lo + 1, ..., a space between two; NULL: plans have numbers */
  bool is_option;     /* plans have names alone */
  bool of_parts;      /* plans inside of others have it, too */
} fg_param_info;
const fg_param_info *fg_param_table(void); /* FG_PARAM_COUNT rows */
/* By its name or an older one; -1 when there is none. */
int fg_param_find(const char *name);

/* The value that a name means. */
bool fg_param_value_find(const fg_param_info *info, const char *name, size_t length, int64_t *out);
/* The name of a value, so long; NULL: it has none. */
const char *fg_param_value_name(const fg_param_info *info, int64_t value, size_t *length);
void fg_param_value_print(fg_strbuf *s, const fg_param_info *info, int64_t value); /* its name, or the number */
char *fg_param_value_list(fg_arena *a, const fg_param_info *info);                 /* "off, on, auto"; "0 .. 16" */

/* aliases.def: older names. */
typedef struct fg_param_alias {
  const char *old; /* NULL ends the table */
  int id;
  int64_t bit; /* 0: the same under another name; else this bit of the old number means */
  int64_t value;
} fg_param_alias;
const fg_param_alias *fg_param_aliases(void);
const fg_param_alias *fg_param_alias_find(const char *old); /* the first of that name; NULL: none */
#endif
