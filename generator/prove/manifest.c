/* The manifest of kernels. In: its text, the artifact that was proved. Out: whether it says what the artifact says.
 *
 * The idea: a user who launches kernels without our host program reads the manifest alone. It is parsed, and every
 * number of a launch, every array and every table in it is compared with what the proof of the kernels took. No
 * member of an object may be given twice: readers differ in which one they take. */
#include "generator/print/emit.h"
#include "generator/problem/problem.h"
#include "generator/prove/launching.h"
#include "generator/prove/literals.h"
#include "targets/number.h"
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

typedef struct reader {
  const fg_program *p;
  const fg_artifact *a;
  char *failure;
} reader;

static bool fail(const reader *r, const char *what, const char *name) {
  snprintf(r->failure, 256, "manifest: %s %.100s", what, name ? name : "");
  return false;
}

static bool is_text(const cJSON *o, const char *name, const char *text) {
  const char *said = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, name));
  return said && !strcmp(said, text);
}

/* absent: the value of a member that is not there; numbers below 2^53 are exact. */
static bool is_number_or(const cJSON *o, const char *name, int64_t value, int64_t absent) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);
  return item ? cJSON_IsNumber(item) && item->valuedouble == (double)value : value == absent;
}

static bool is_number(const cJSON *o, const char *name, int64_t value) {
  return cJSON_HasObjectItem(o, name) && is_number_or(o, name, value, value);
}

static bool is_true(const cJSON *o, const char *name, bool value) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, name);
  return item ? cJSON_IsBool(item) && cJSON_IsTrue(item) == value : !value;
}

static const cJSON *list_of(const cJSON *o, const char *name, int count) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(o, name);
  return cJSON_IsArray(list) && cJSON_GetArraySize(list) == count ? list : NULL;
}

static bool has_twice(const cJSON *o) {
  for (const cJSON *i = o->child; i; i = i->next) {
    for (const cJSON *k = i->next; k && cJSON_IsObject(o); k = k->next)
      if (!strcmp(i->string, k->string)) return true;
    if (has_twice(i)) return true;
  }
  return false;
}

/* ---- arrays ------------------------------------------------------------------------------ */

static bool check_slot(const reader *r, const cJSON *o, const fg_arg_buffer *b, int part) {
  static const char *const kinds[] = {[FG_ARG_IN] = "in",
                                      [FG_ARG_OUT] = "out",
                                      [FG_ARG_WORK] = "work",
                                      [FG_ARG_TABLE] = "table",
                                      [FG_ARG_GIVEN] = "given"};
  char name[128];
  snprintf(name, sizeof name, "%.100s%s", b->name, b->split ? part ? "_im" : "_re" : "");
  return (is_text(o, "name", name) && is_text(o, "kind", kinds[b->kind])) || fail(r, "another array in place of", name);
}

static bool check_slots(const reader *r, const cJSON *root) {
  const fg_artifact *a = r->a;
  const cJSON *list = list_of(root, "slots", fg_artifact_slot(a, a->nbuffer)), *o = list ? list->child : NULL;
  if (!list) return fail(r, "another number of", "slots");
  for (int i = 0; i < a->nbuffer; i++) {
    const fg_arg_buffer *b = &a->buffer[i];
    for (int part = 0; part < (b->split ? 2 : 1); part++, o = o->next) {
      if (!check_slot(r, o, b, part)) return false;
      if (!is_number(o, "bytes", (int64_t)(b->split ? b->bytes / 2 : b->bytes)))
        return fail(r, "another size of array", b->name);
    }
  }
  return true;
}

static bool check_params(const reader *r, const cJSON *root) {
  const fg_problem *q = &r->p->problem;
  const cJSON *list = list_of(root, "parameters", q->nparam), *o = list ? list->child : NULL;
  if (!list) return fail(r, "another number of", "parameters");
  for (int i = 0; i < q->nparam; i++, o = o->next) {
    const fg_param *p = &q->param[i];
    bool same = is_text(o, "name", p->name) && is_number(o, "lowest", p->lo) && is_number(o, "highest", p->hi);
    if (!same) return fail(r, "another name, or range, of parameter", p->name);
  }
  return true;
}

/* ---- tables ------------------------------------------------------------------------------ */

static const char *fill_of(const fg_table *t) {
  static const char *const fills[] = {
      [FG_FILL_TWIDDLE] = "twiddle", [FG_FILL_DOUBLING] = "doubling",   [FG_FILL_STEPS] = "steps",
      [FG_FILL_CHIRP] = "chirp",     [FG_FILL_BLUESTEIN] = "bluestein", [FG_FILL_RADER] = "rader",
      [FG_FILL_POWERS] = "powers",   [FG_FILL_RADER_SUM] = "rader_sum", [FG_FILL_POWER] = "power",
      [FG_FILL_WINDOW] = "window",   [FG_FILL_LOGARITHM] = "logarithm", [FG_FILL_BAND] = "band"};
  return fills[t->fill];
}

static const char *layout_of(const fg_buffer *b) {
  static const char *const layouts[] = {[FG_LAYOUT_INTERLEAVED] = "interleaved",
                                        [FG_LAYOUT_SPLIT] = "split",
                                        [FG_LAYOUT_BLOCKED] = "blocked",
                                        [FG_LAYOUT_DOUBLED] = "doubled"};
  return b->elem == FG_ELEM_COMPLEX ? layouts[b->layout] : "real";
}

static bool is_coprime(const cJSON *o, const fg_table *t) {
  int axes = t->coprime[0] ? fg_table_axes(t) : 0, i = 0;
  const cJSON *list = list_of(o, "coprime", axes);
  for (const cJSON *x = list ? list->child : NULL; x; x = x->next, i++)
    if (!cJSON_IsNumber(x) || x->valuedouble != t->coprime[i]) return false;
  return list || (!axes && !cJSON_HasObjectItem(o, "coprime"));
}

static bool is_real(const cJSON *o, const char *key, double x) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(o, key);
  return cJSON_IsNumber(item) ? item->valuedouble == x : x == 0;
}

static bool is_bank(const cJSON *o, const fg_window *w) {
  const fg_bank *b = &w->bank;
  return is_number_or(o, "bands", b->bands, 0) && is_real(o, "rate", b->rate) && is_real(o, "low", b->low) &&
         is_real(o, "high", b->high) && is_number_or(o, "htk", b->htk, 0) && is_number_or(o, "peak", b->peak, 0) &&
         is_number_or(o, "points", w->points, 0) && is_number_or(o, "slots", w->slots, 0);
}

static bool is_table(const cJSON *o, const fg_table *t, const fg_buffer *b) {
  const fg_window_row *row = t->fill == FG_FILL_WINDOW || t->fill == FG_FILL_BAND ? t->window.row : NULL;
  bool window = !row || is_text(o, "window", row->name);
  const cJSON *parameter = cJSON_GetObjectItemCaseSensitive(o, "parameter");
  bool has = row && row->parameter && *row->parameter;
  window = window && has == (parameter != NULL) && (!has || parameter->valuedouble == t->window.parameter);
  return window && is_bank(o, &t->window) && is_coprime(o, t) && is_text(o, "fill", fill_of(t)) &&
         is_text(o, "layout", layout_of(b)) && is_number(o, "sign", t->sign) && is_number(o, "rows", t->rows) &&
         is_number(o, "cols", t->cols) && is_number(o, "row0", t->row0) && is_number(o, "col0", t->col0) &&
         is_number(o, "col_step", t->col_step ? t->col_step : 1) && is_number(o, "shift", t->shift) &&
         is_number(o, "order", t->order) && is_number(o, "n", t->n) && is_number_or(o, "across", t->across, 0) &&
         is_number_or(o, "fold", t->fold, 0) && is_number_or(o, "hop", t->window.hop, 0) &&
         is_number_or(o, "frames", t->window.frames, 0);
}

static const cJSON *row_of(const cJSON *list, int slot, int *count) {
  const cJSON *found = NULL;
  for (const cJSON *o = list->child; o; o = o->next)
    if (is_number(o, "slot", slot)) found = o, ++*count;
  return found;
}

/* One row for each array of the kind, and none besides. */
static bool check_tables(const reader *r, const cJSON *root) {
  const fg_artifact *a = r->a;
  int count = 0;
  for (int i = 0; i < a->nbuffer; i++) count += a->buffer[i].kind == FG_ARG_TABLE;
  const cJSON *list = list_of(root, "tables", count);
  if (!list) return fail(r, "another number of", "tables");
  for (int i = 0; i < a->nbuffer; i++) {
    if (a->buffer[i].kind != FG_ARG_TABLE) continue;
    int rows = 0, table = fg_proof_text_table(r->p, a->buffer[i].name);
    const cJSON *o = row_of(list, fg_artifact_slot(a, i), &rows);
    const fg_table *t = table < 0 ? NULL : &r->p->table[table];
    if (rows != 1 || !t || !is_table(o, t, &r->p->buffer[t->buffer]))
      return fail(r, "another formula of table", a->buffer[i].name);
  }
  return true;
}

/* ---- what kernels need -------------------------------------------------------------------- */

/* The launch of a kernel: those of a queue are one, the second. */
static const fg_launch *launch_of(const reader *r, int kernel) {
  int joined = fg_queue_joined(&r->p->queue);
  return &r->a->launch[!joined ? kernel : kernel < joined ? 1 : kernel - joined + 2];
}

/* Bytes of the memory that a kernel's threads share, which the proof of the text has of the largest launch. A thread
 * alone keeps it in variables. */
static int64_t shared_bytes(const fg_program *p, const fg_kernel *k) {
  bool used[FG_MAX_BUFFERS] = {false};
  int64_t bytes = 0;
  const fg_access *x;
  for (int s = 0; s < k->nstage && k->launch.threads > 1; s++)
    for (int n = 0; (x = fg_stage_access(&k->stage[s], n)); n++) used[fg_buffer_root(p, x->buffer)] = true;
  for (int i = 0; i < p->nbuffer; i++)
    if (used[i] && fg_buffer_is_shared(&p->buffer[i])) bytes += fg_buffer_bytes(&p->buffer[i]);
  return bytes;
}

static bool check_kernels(const reader *r) {
  for (int k = 0; k < r->p->nkernel; k++) {
    const fg_launch *l = launch_of(r, k);
    if (l->threads != r->p->kernel[k]->launch.threads)
      return fail(r, "not the program's number of threads of", l->entry);
    if ((int64_t)l->local_bytes < shared_bytes(r->p, r->p->kernel[k]))
      return fail(r, "too little memory for", l->entry);
  }
  int joined = fg_queue_joined(&r->p->queue);
  return r->a->nlaunch == r->p->nkernel - (joined ? joined - 2 : 0) || fail(r, "another number of launches than of", "kernels");
}

/* ---- launches ---------------------------------------------------------------------------- */

static bool is_factor(const cJSON *o, const fg_problem *q, const fg_launch *l, int i) {
  int param = l->block_factor[i].param;
  int64_t div = param >= 0 ? l->block_factor[i].div : 1;
  bool named = param >= 0 ? is_text(o, "parameter", q->param[param].name) : !cJSON_HasObjectItem(o, "parameter");
  bool up = div > 1 ? is_text(o, "rounded", "up") : !cJSON_HasObjectItem(o, "rounded");
  return named && up && is_number(o, "times", l->block_factor[i].n) && is_number_or(o, "divided_by", div, 1);
}

static bool check_blocks(const reader *r, const cJSON *o, const fg_launch *l) {
  const cJSON *list = list_of(o, "blocks", l->nblock_factor), *x = list ? list->child : NULL;
  for (int i = 0; list && i < l->nblock_factor; i++, x = x->next)
    if (!is_factor(x, &r->p->problem, l, i)) list = NULL;
  return list || fail(r, "another number of blocks of", l->entry);
}

static bool check_arguments(const reader *r, const cJSON *o, const fg_launch *l) {
  const cJSON *list = list_of(o, "arguments", l->narg), *x = list ? list->child : NULL;
  for (int i = 0; list && i < l->narg; i++, x = x->next) {
    bool alone = x->child && !x->child->next;
    if (!alone || !is_number(x, l->arg[i].is_param ? "parameter" : "slot", l->arg[i].index)) list = NULL;
  }
  return list || fail(r, "other arguments of", l->entry);
}

static bool check_launch(const reader *r, const cJSON *o, const fg_launch *l) {
  if (!is_text(o, "kernel", l->entry)) return fail(r, "another kernel in place of", l->entry);
  if (!is_number(o, "threads", l->threads)) return fail(r, "another number of threads of", l->entry);
  if (!is_number(o, "local_bytes", (int64_t)l->local_bytes)) return fail(r, "another size of the memory of", l->entry);
  bool same = is_number_or(o, "cluster", l->cluster > 1 ? l->cluster : 1, 1) && is_true(o, "balanced", l->balanced) &&
              is_true(o, "persistent", l->persistent) && is_number_or(o, "carveout_percent", l->carveout, 0);
  if (!same) return fail(r, "another attribute of", l->entry);
  return check_blocks(r, o, l) && check_arguments(r, o, l);
}

static bool check_launches(const reader *r, const cJSON *root) {
  const cJSON *list = list_of(root, "launches", r->a->nlaunch), *o = list ? list->child : NULL;
  if (!list) return fail(r, "another number of", "launches");
  for (int i = 0; i < r->a->nlaunch; i++, o = o->next)
    if (!check_launch(r, o, &r->a->launch[i])) return false;
  return true;
}

/* ---- all ---------------------------------------------------------------------------------- */

static bool check(const reader *r, const cJSON *root, const fg_emitted *e, const char *problem) {
  if (!cJSON_IsObject(root)) return fail(r, "it is", "no JSON");
  if (has_twice(root)) return fail(r, "a member", "twice");
  bool named = is_text(root, "name", r->a->name) && is_text(root, "dialect", r->a->dialect) &&
               is_text(root, "source", e->file[0].name) && is_text(root, "problem", problem) &&
               is_text(root, "precision", fg_precision_name(r->p->problem.compute));
  if (!named) return fail(r, "another", "name, problem, source or precision");
  return check_kernels(r) && check_params(r, root) && check_slots(r, root) && check_tables(r, root) &&
         check_launches(r, root);
}

bool fg_prove_manifest(fg_context *cx, const fg_program *p, const fg_emitted *e, char failure[256]) {
  const fg_file *file = fg_prove_file_of(e, ".json");
  reader r = {p, &e->artifact, failure};
  const char *problem = fg_problem_print(cx, &p->problem), *end = NULL;
  failure[0] = 0;
  if (!file) return true;
  locale_t before = fg_number_enter();
  cJSON *root = cJSON_ParseWithOpts(file->text, &end, 1);
  fg_number_leave(before);
  bool good = check(&r, root, e, problem);
  cJSON_Delete(root);
  return good;
}
