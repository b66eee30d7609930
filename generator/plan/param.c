/* The parameters of plans. In: params.def, aliases.def. Out: their rows, values by name, today's names for older
 * ones.
 *
 * The one idea: a plan holds a number for each parameter, and only text has names. So a name may change, and one
 * more row reads the old one. */
#include "generator/plan/param.h"
#include "generator/plan/plan.h"
#include <string.h>

static const fg_param_info params[] = {
#define PARAM(NAME, text, lo, hi, preset, values, help) {text, help, lo, hi, preset, values, false, false},
#define PARAM_OF_PARTS(NAME, text, lo, hi, preset, values, help) {text, help, lo, hi, preset, values, false, true},
#define OPTION(NAME, text, help)                                                                                       \
  {text, help, FG_OPTION_AUTO, FG_OPTION_OTHER, FG_OPTION_AUTO, FG_OPTION_VALUES, true, false},
#include "generator/plan/params.def"
#undef PARAM
};

static const fg_param_alias aliases[] = {
#define ALIAS(old, NAME) {old, FG_PARAM_##NAME, 0, 0},
#define ALIAS_BIT(old, bit, NAME, VALUE) {old, FG_PARAM_##NAME, bit, FG_OPTION_##VALUE},
#include "generator/plan/aliases.def"
    {NULL, 0, 0, 0}};

_Static_assert((int)FG_PARAM_COUNT <= (int)FG_PLAN_PARAMS, "every parameter may be given once");

const fg_param_info *fg_param_table(void) { return params; }
const fg_param_alias *fg_param_aliases(void) { return aliases; }

const fg_param_alias *fg_param_alias_find(const char *old) {
  for (const fg_param_alias *a = aliases; a->old; a++)
    if (!strcmp(a->old, old)) return a;
  return NULL;
}

int fg_param_find(const char *name) {
  for (int i = 0; i < FG_PARAM_COUNT; i++)
    if (!strcmp(params[i].name, name)) return i;
  const fg_param_alias *a = fg_param_alias_find(name);
  return a && !a->bit ? a->id : -1;
}

/* ---- values ---------------------------------------------------------------- */

/* The k-th name of a list; its length is 0 behind the last one. */
static const char *word_at(const char *list, int64_t k, size_t *length) {
  for (; k > 0 && *list; k--) {
    list += strcspn(list, " ");
    list += *list == ' ';
  }
  *length = strcspn(list, " ");
  return list;
}

bool fg_param_value_find(const fg_param_info *info, const char *name, size_t length, int64_t *out) {
  for (int64_t v = info->lo; length && info->values && v <= info->hi; v++) {
    size_t size;
    const char *word = word_at(info->values, v - info->lo, &size);
    if (size != length || memcmp(word, name, size) != 0) continue;
    *out = v;
    return true;
  }
  return false;
}

const char *fg_param_value_name(const fg_param_info *info, int64_t value, size_t *length) {
  return info->values ? word_at(info->values, value - info->lo, length) : NULL;
}

void fg_param_value_print(fg_strbuf *s, const fg_param_info *info, int64_t value) {
  size_t length;
  const char *word = fg_param_value_name(info, value, &length);
  if (word)
    fg_strbuf_addn(s, word, length);
  else
    fg_strbuf_addf(s, "%lld", (long long)value);
}

char *fg_param_value_list(fg_arena *a, const fg_param_info *info) {
  if (!info->values) return fg_arena_printf(a, "%lld .. %lld", (long long)info->lo, (long long)info->hi);
  fg_strbuf s = fg_strbuf_new(a);
  for (int64_t v = info->lo; v <= info->hi; v++) {
    fg_strbuf_add(&s, v > info->lo ? ", " : "");
    fg_param_value_print(&s, info, v);
  }
  return s.text;
}

/* ---- of a plan --------------------------------------------------------------- */

int64_t fg_plan_param_value(const fg_plan *p, fg_param_id id) {
  for (int i = 0; i < p->nparam; i++)
    if (p->param[i].id == (int)id) return p->param[i].value;
  return params[id].preset;
}

bool fg_plan_option(const fg_plan *p, fg_param_id id, bool rule) {
  int64_t value = p ? fg_plan_param_value(p, id) : FG_OPTION_AUTO;
  return value == FG_OPTION_AUTO ? rule : value == FG_OPTION_OTHER ? !rule : value == FG_OPTION_ON;
}
