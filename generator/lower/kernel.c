/* Kernels: the functions of their stages, and the function that calls them. In: a kernel. Out: its text, by the
 * template for its form, and its parameters.
 *
 * In launched kernels blocks and threads compute their digits from their numbers; otherwise the kernel's outer digits
 * are loops. */
#include "generator/lower/kernel.h"
#include "generator/base/template.h"
#include "generator/lower/async_copy.h"
#include "generator/lower/cluster.h"
#include "generator/lower/loops.h"
#include "generator/lower/memory.h"
#include "generator/lower/parallel.h"
#include "generator/lower/persistent.h"
#include "generator/lower/scalar_replacement.h"
#include "generator/lower/stage.h"
#include "generator/lower/storage.h"
#include "generator/text/emitter.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_order.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/spell.h"
#include "generator/text/statements.h"
#include "generator/text/sum.h"
#include <string.h>

const char *fg_lower_kernel_symbol(const fg_emitter *e, int kernel) {
  return fg_arena_printf(e->cx->arena, "%s_%s", e->name, e->p->kernel[kernel]->name);
}

const char *fg_lower_stage_symbol(const fg_emitter *e, int kernel, int stage) {
  return fg_arena_printf(e->cx->arena, "%s_%d", fg_lower_kernel_symbol(e, kernel), stage);
}

static bool in_kernel(const fg_emitter *e, int memory) {
  return e->d->local_array && e->p->buffer[memory].space == FG_SPACE_LOCAL;
}

static void add_indented(fg_template_values *v, const char *list, const char *text, int indent) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    fg_template_setf(fg_template_add_row(v, list), "text", "%*s%.*s", indent, "", (int)length, text);
    text += length + (text[length] == '\n');
  }
}

static void add_lines(fg_template_values *v, const char *list, const char *text) { add_indented(v, list, text, 0); }

typedef struct frame { /* a kernel in work */
  fg_emitter *e;
  const fg_kernel *k;
  int number;
  fg_template_values *values;
  const char *digit[FG_MAX_DIGITS];
  int64_t digit_value[FG_MAX_DIGITS];
  fg_uses uses, *stage_uses;
  int indent;       /* inside the outer loops */
  int32_t recorded; /* position of the loops that are not written yet */
} frame;

static bool is_whole(const frame *f, int digit) {
  int64_t div = f->k->digit[digit].div;
  if (f->k->digit[digit].role == FG_ROLE_RING) return false;
  for (int i = 0; i < f->k->nouter; i++) {
    const fg_digit *d = &f->k->digit[f->k->outer[i]];
    if (d->role == FG_ROLE_BLOCK && (d->div > div || (d->div == div && f->k->outer[i] < digit))) return false;
  }
  return true;
}

static bool has_host_loop(const frame *f) {
  for (int i = 0; i < f->k->nouter; i++) {
    int d = f->k->outer[i];
    if (f->k->digit[d].role == FG_ROLE_HOST && f->digit[d]) return true;
  }
  return false;
}

/* Nothing is done beyond the outer digits' bounds. */
static void write_guard(frame *f, fg_nest *n) {
  for (int i = 0; i < f->k->npred; i++) {
    const fg_pred *p = &f->k->pred[i];
    fg_sum sum = {.e = f->e, .uses = &f->uses};
    fg_sum_add(&sum, p->value.offset, 1, NULL);
    for (int t = 0; t < p->value.nterm; t++) {
      int d = p->value.term[t].digit;
      fg_sum_add(&sum, p->value.term[t].coef, f->digit[d] ? 1 : f->digit_value[d], f->digit[d]);
    }
    const char *bound = fg_spell_num(f->e, &f->uses, p->bound);
    fg_coder_open(f->e->coder, FG_CODE_IF, fg_coder_index(f->e->coder, FG_CODE_LESS, fg_sum_text(&sum), bound));
    n->depth++;
  }
}

/* The kernel's own number of an iteration in place of the block's. */
static void open_iterations(frame *f, fg_nest *n) {
  if (f->k->launch.iterations != 1) fg_nest_open(n, fg_bulk_loop(f->e, f->k));
  fg_nest_hardware(n, f->k->outer[0], f->e->d->bulk->iteration, true);
}

/* What was recorded since, as rows of a list. */
static void write_recorded(frame *f, const char *list) {
  fg_strbuf text = fg_strbuf_new(f->e->cx->arena);
  int32_t end = fg_coder_position(f->e->coder);
  f->indent = fg_statements_write(f->e, f->recorded, end, f->indent, &text);
  f->recorded = end;
  add_lines(f->values, list, text.text);
}

/* A statement of the kernel itself, between its stages. */
static void act(frame *f, fg_code_op op) {
  fg_coder_act(f->e->coder, op, 0);
  write_recorded(f, "step");
}

static void write_outer(frame *f) {
  fg_nest n = {.e = f->e, .k = f->k, .digit = f->digit, .uses = &f->uses};
  f->indent = 2, f->recorded = 0;
  fg_statements_begin(f->e);
  n.part_digit = fg_parallel_is_kernel(f->e, f->k) ? f->k->vectors.part - 1 : -1;
  for (int pass = 0; pass < 2; pass++) /* blocks first: they are declarations where kernels are launched */
    for (int i = 0; i < f->k->nouter; i++) {
      int d = f->k->outer[i];
      bool is_block = f->e->launched && fg_digit_is_of_blocks(&f->k->digit[d]);
      if (pass == 0 && is_block && fg_bulk_is_wanted(f->e, f->k))
        open_iterations(f, &n);
      else if (pass == 0 && is_block)
        fg_nest_hardware(&n, d, f->e->d->block_id, is_whole(f, d));
      if (pass == 1 && !is_block) fg_nest_loop(&n, d, false);
    }
  write_guard(f, &n);
  write_recorded(f, "outer");
  int inside = f->indent;
  fg_nest_close(&n);
  write_recorded(f, "close");
  f->indent = inside;
  f->e->coder = NULL;
  if (fg_bulk_is_wanted(f->e, f->k)) add_indented(f->values, "close", f->e->d->bulk->close, 2);
}

/* One of a stage each, or one of all. */
static int function_count(const frame *f) { return f->e->forwards[f->number] ? 1 : f->k->nstage; }

/* Of elements that are all real, in c2r of one and two points, imaginary parts are not read. */
static void note_unread_parts(const fg_emitter *e, const fg_uses *uses, fg_strbuf *out) {
  for (int m = 0; !e->launched && m < e->p->nbuffer; m++)
    if (uses->memory[m] && e->memory[m].parts && !uses->imaginary[m])
      fg_strbuf_addf(out, "  (void)%s_im;\n", e->memory[m].name);
}

static fg_status write_function(frame *f, int s, fg_strbuf *out) {
  fg_emitter *e = f->e;
  const fg_stage *stage = e->forwards[f->number] ? NULL : &f->k->stage[s];
  const char *name = fg_lower_stage_symbol(e, f->number, s), *what;
  fg_uses *uses = &f->stage_uses[s];
  fg_strbuf body;
  fg_statements_begin(e);
  fg_status status = stage ? fg_lower_stage(e, f->k, s, uses) : fg_lower_joined(e, f->number, uses);
  fg_statements_end(e, name, 2, &body);
  if (status != FG_OK) return status;
  if (stage)
    what = fg_arena_printf(e->cx->arena, "%s%s", stage->what ? stage->what : "copy",
                           stage->vectors.fallback ? " (scalar fallback)" : "");
  else
    what = fg_arena_printf(e->cx->arena, "%d stages in one loop nest, their intermediate results in registers",
                           f->k->nstage);
  fg_function function = {f->k, stage, name, stage && fg_parallel_is_stage(e, stage)};
  fg_lower_function_head(e, &function, what, uses, out);
  if (stage) note_unread_parts(e, uses, out);
  fg_strbuf_addf(out, "%s}\n\n", body.text);
  return FG_OK;
}

static fg_status write_functions(frame *f, fg_strbuf *out) {
  f->stage_uses = fg_arena_new(f->e->cx->arena, fg_uses, f->k->nstage);
  for (int s = 0; s < function_count(f); s++) {
    if (fg_stage_is_bulk(&f->k->stage[s]) && fg_bulk_is_wanted(f->e, f->k)) continue;
    fg_status status = write_function(f, s, out);
    if (status != FG_OK) return status;
    fg_lower_add_uses(&f->uses, &f->stage_uses[s]);
  }
  if (fg_bulk_is_wanted(f->e, f->k)) fg_bulk_note(&(fg_bulk_frame){f->e, f->k, &f->uses});
  return FG_OK;
}

/* Where loops are short, compilers unroll them and take narrower vectors out of the wider ones that
 * the stage before stored, number by number: memory does it sooner. Halves they take well. */
static bool is_fenced(const frame *f, int s) {
  if (!f->e->d->stage_fence || s + 1 >= function_count(f)) return false;
  const fg_stage *stage = &f->k->stage[s], *next = stage + 1;
  int before = fg_stage_lanes(f->k, stage), after = fg_stage_lanes(f->k, next);
  bool halves = before == 2 * after && !fg_stage_is_clipped(f->k, next) && !next->load.rest;
  return fg_exchange_waits(&stage->exchange.after) && after < before && !halves;
}

/* Where it is in a loop over the block's numbers, tables are read `here`. */
static void write_call(frame *f, const char *list, int s, bool stays) {
  fg_emitter *e = f->e;
  const fg_uses *u = &f->stage_uses[s];
  const char *item[FG_MAX_ITEMS];
  int n = 0;
  for (int m = 0; m < e->p->nbuffer; m++) {
    int many = fg_memory_mention(e, u, m, &item[n]);
    const char *moved = stays ? fg_bulk_name(&(fg_bulk_frame){e, f->k, &f->uses}, m, s) : NULL;
    if (many && moved) item[n] = moved;
    if (many && stays && e->p->buffer[m].space == FG_SPACE_TABLE)
      item[n] = fg_arena_printf(e->cx->arena, "%s + zero", item[n]);
    n += many;
  }
  int16_t given[2 * FG_MAX_LOOPS];
  int ngiven = fg_lower_function_digits(f->k, e->forwards[f->number] ? NULL : &f->k->stage[s], given);
  for (int i = 0; i < ngiven; i++)
    if (u->digit[given[i]]) item[n++] = f->digit[given[i]];
  for (int i = 0; i < e->p->problem.nparam; i++)
    if (u->param[i]) item[n++] = fg_spell_param(e, i);
  if (!f->e->forwards[f->number] && fg_parallel_is_stage(e, &f->k->stage[s])) item[n++] = "0", item[n++] = "1";
  if (e->d->arguments) item[n++] = e->d->arguments->given;
  const char *call = fg_spell_call(e, fg_lower_stage_symbol(e, f->number, s), item, n, f->indent);
  add_lines(f->values, list, fg_arena_printf(e->cx->arena, "%s;", call));
}

/* A copy from a table, once for all numbers: before their loop. */
static bool is_once(const frame *f, int stage) {
  const fg_stage *s = &f->k->stage[stage];
  return !s->codelet && f->e->p->buffer[fg_buffer_root(f->e->p, s->load.buffer)].space == FG_SPACE_TABLE;
}

/* Between bulk copies. */
static void write_iteration(frame *f) {
  fg_bulk_frame bulk = {f->e, f->k, &f->uses};
  add_indented(f->values, "step", fg_bulk_before(&bulk, 0), f->indent);
  for (int s = 1; s < f->k->nstage; s++) {
    bool copies = fg_stage_is_bulk(&f->k->stage[s]), over = s + 1 == f->k->nstage;
    if (is_once(f, s)) continue;
    add_indented(f->values, "step", fg_bulk_before(&bulk, s), f->indent);
    if (copies)
      add_indented(f->values, "step", fg_bulk_copy(&bulk, s), f->indent);
    else
      write_call(f, "step", s, f->k->launch.iterations != 1);
    if (over || !copies) add_indented(f->values, "step", fg_bulk_after(&bulk, s), f->indent);
  }
}

/* The loops that stages share, around their calls. */
static void open_shared(frame *f, int s, int shared, fg_nest *n) {
  const fg_stage *stage = &f->k->stage[s];
  if (shared) fg_nest_name_digits(f->e, f->k, stage, f->digit, f->digit_value);
  f->recorded = 0;
  fg_statements_begin(f->e);
  for (int i = 0; i < shared; i++) fg_nest_loop(n, stage->loop[i], false);
  write_recorded(f, "step");
}

static void close_shared(frame *f, fg_nest *n) {
  fg_nest_close(n);
  write_recorded(f, "step");
  f->e->coder = NULL;
}

/* The proof's text says which stage begins. */
static void write_name_of(frame *f, int s) {
  fg_emitter *e = f->e;
  if (!e->o->map || !e->d->stage) return;
  const char *number = fg_arena_printf(e->cx->arena, "%d", fg_text_stage_number(f->number, s));
  add_indented(f->values, "step", fg_spell(e, 1, e->d->stage, (fg_marks){.i = number}), f->indent);
}

static void write_step(frame *f, int s) {
  fg_emitter *e = f->e;
  const fg_stage *stage = &f->k->stage[s];
  if (fg_exchange_crosses(&stage->exchange.before)) act(f, FG_CODE_CLUSTER_WAIT);
  if (fg_exchange_is_barrier(&stage->exchange.before) && e->d->barrier_block) act(f, FG_CODE_BARRIER);
  write_name_of(f, s);
  write_call(f, "step", s, false);
  if (fg_exchange_crosses(&stage->exchange.offer)) act(f, FG_CODE_CLUSTER_ARRIVE);
  if (is_fenced(f, s)) add_indented(f->values, "step", e->d->stage_fence, f->indent);
  if (fg_exchange_crosses(&stage->exchange.after)) {
    fg_cluster_wait(e, f->k, s);
    write_recorded(f, "step");
    return;
  }
  const char *arrives = fg_persistent_arrive(e, f->number, s), *freed = fg_persistent_free(e, f->number, s),
             *taken = fg_persistent_next(e, f->number, s);
  if (arrives) add_indented(f->values, "step", arrives, f->indent);
  bool barrier = fg_exchange_waits(&stage->exchange.after) || (s == f->k->nstage - 1 && has_host_loop(f));
  if (barrier && e->d->barrier_block && f->k->launch.threads > 1) act(f, FG_CODE_BARRIER);
  if (freed) add_lines(f->values, "step", fg_arena_printf(e->cx->arena, "%*s%s", f->indent, "", freed)); /* has lines */
  if (taken) add_indented(f->values, "step", taken, f->indent);
}

static void write_calls(frame *f) {
  bool joined = f->e->forwards[f->number];
  for (int s = 0, end; s < function_count(f); s = end) {
    int shared = joined ? 0 : fg_stage_shared(f->k, &f->k->stage[s]);
    end = joined ? 1 : fg_kernel_group_end(f->k, s);
    fg_nest n = {.e = f->e, .k = f->k, .digit = f->digit, .uses = &f->uses, .part_digit = -1};
    open_shared(f, s, shared, &n);
    for (int i = s; i < end; i++) write_step(f, i);
    close_shared(f, &n);
  }
}

/* Registers of lanes are an array. */
static bool declares_registers(frame *f, int memory) {
  const fg_emitter *e = f->e;
  const fg_buffer *b = &e->p->buffer[memory];
  int numbers = fg_buffer_parts(b) * b->local.each;
  if (!fg_buffer_is_of_lanes(b)) return false;
  add_lines(f->values, "memory", fg_arena_printf(e->cx->arena, "%s %s[%d];", e->real, e->memory[memory].name, numbers));
  return true;
}

/* shared memory where bulk copies use some of it, and the statements before their loop. */
static void write_bulk_memory(frame *f) {
  fg_emitter *e = f->e;
  fg_bulk_frame bulk = {e, f->k, &f->uses};
  fg_arena *a = e->cx->arena;
  int64_t bytes = 0, real = fg_precision_bytes(e->precision);
  for (int m = 0; m < e->p->nbuffer; m++) {
    if (!f->uses.memory[m] || !in_kernel(e, m)) continue;
    const fg_buffer *b = &e->p->buffer[m];
    if (declares_registers(f, m)) continue;
    fg_bulk_room room = fg_bulk_place(e, f->k, m, (bytes + real - 1) / real * real);
    bytes = room.at + room.bytes;
    const char *room_name = fg_arena_printf(a, "%s_memory", e->memory[m].name);
    fg_marks marks = {.v = fg_bulk_uses(e, f->k, m) ? room_name : e->memory[m].name,
                      .b = fg_storage_type(e, b),
                      .i = fg_arena_printf(a, "%lld", (long long)(room.at / real))};
    add_lines(f->values, "memory", fg_spell(e, 1, fg_storage_of(e, b) ? e->d->local_narrow : e->d->local_array, marks));
  }
  const char *mbarrier = fg_arena_printf(a, "local + %lld", (long long)(fg_bulk_mbarrier(e, bytes) / real));
  add_lines(f->values, "memory", fg_bulk_open(&bulk, mbarrier));
  f->indent = 0;
  for (int s = 0; s < f->k->nstage; s++)
    if (is_once(f, s)) write_call(f, "memory", s, false);
}

static void write_memory(frame *f) {
  fg_emitter *e = f->e;
  long long before = 0; /* reals in the arrays above */
  for (int m = 0; m < e->p->nbuffer; m++) {
    if (!f->uses.memory[m] || !in_kernel(e, m)) continue;
    const fg_buffer *b = &e->p->buffer[m];
    if (declares_registers(f, m)) continue;
    long long reals = (long long)(fg_memory_local_bytes(e, m) / fg_precision_bytes(e->precision));
    fg_marks marks = {.v = e->memory[m].name,
                      .a = fg_arena_printf(e->cx->arena, "%lld", reals),
                      .b = fg_storage_type(e, b),
                      .c = fg_arena_printf(e->cx->arena, "%lld", (long long)(fg_buffer_parts(b) * b->size)),
                      .i = fg_arena_printf(e->cx->arena, "%lld", before)};
    before += reals;
    if (fg_buffer_is_distributed(b)) before += e->d->cluster->mbarrier_bytes / fg_precision_bytes(e->precision);
    fg_template_set(fg_template_add_row(f->values, "memory"), "text",
                    fg_spell(e, 1, fg_storage_of(e, b) ? e->d->local_narrow : e->d->local_array, marks));
  }
  f->indent = 0, f->recorded = 0;
  fg_statements_begin(e);
  fg_cluster_begin(e, f->k);
  write_recorded(f, "memory");
  e->coder = NULL;
}

static bool has_local(const frame *f) {
  for (int m = 0; m < f->e->p->nbuffer; m++)
    if (f->uses.memory[m] && in_kernel(f->e, m) && fg_buffer_is_shared(&f->e->p->buffer[m])) return true;
  return false;
}

/* Declarations of a kernel's parameters, arrays first, as languages have them that number them or say threads there. */
static int spell_parameters(frame *f, const char **item, int arrays, int n) {
  fg_emitter *e = f->e;
  const fg_arguments_form *form = e->d->arguments;
  for (int i = 0; form && i < arrays; i++)
    item[i] = fg_spell(e, 1, form->array, (fg_marks){.v = item[i], .i = fg_arena_printf(e->cx->arena, "%d", i)});
  if (form && form->local) item[n++] = fg_spell(e, 1, form->local, (fg_marks){0});
  if (form) item[n++] = form->own;
  return n;
}

static const char *declared_number(const frame *f, int param, int number) {
  const fg_emitter *e = f->e;
  const char *name = fg_spell_param(e, param), *form = e->d->arguments ? e->d->arguments->number : "const %b %v";
  return fg_spell(e, 1, form,
                  (fg_marks){.b = e->d->index_type, .v = name, .i = fg_arena_printf(e->cx->arena, "%d", number)});
}

/* What a kernel takes: declarations, or with `given` the arguments of a call. */
static int arguments_of(frame *f, bool given, const char **item) {
  fg_emitter *e = f->e;
  int n = 0;
  for (int m = 0; m < e->p->nbuffer; m++) {
    if (in_kernel(e, m)) continue;
    int first = n;
    n += given ? fg_memory_mention(e, &f->uses, m, &item[n])
               : fg_memory_declare(e, &f->uses, m, e->restrict_word, &item[n]);
    if (given && fg_persistent_has(e, f->k) && n > first &&
        e->p->buffer[m].space == FG_SPACE_TABLE) /* else loads leave the loop */
      item[first] = fg_arena_printf(e->cx->arena, "%s + " FG_QUEUE_ZERO, item[first]);
  }
  int arrays = n;
  for (int i = 0; i < e->p->problem.nparam; i++) {
    if (!f->uses.param[i]) continue;
    item[n] = given ? fg_spell_param(e, i) : declared_number(f, i, n);
    n++;
  }
  for (int i = 0; i < 2 && fg_parallel_is_kernel(e, f->k) && !given; i++)
    item[n++] = fg_arena_printf(e->cx->arena, "const %s %s", e->d->index_type, i ? "parts" : "part");
  return given ? n : spell_parameters(f, item, arrays, n);
}

static const char *head_text(frame *f) {
  fg_emitter *e = f->e;
  const char *item[FG_MAX_ITEMS];
  fg_arena *a = e->cx->arena;
  fg_marks marks = {.a = f->k->launch.resident ? fg_arena_printf(a, ", %d", f->k->launch.resident) : "", .b = ""};
  fg_marks blocks = {.i = fg_arena_printf(a, "%d", f->k->launch.cluster)};
  if (f->k->launch.cluster > 1) marks.b = fg_spell(e, 1, e->d->cluster->attribute, blocks);
  const char *qualifier = fg_spell(e, f->k->launch.threads, e->d->kernel_qualifier, marks);
  const char *head = fg_arena_printf(e->cx->arena, "%s %s", qualifier, fg_lower_kernel_symbol(e, f->number));
  return fg_spell_call(e, head, item, arguments_of(f, false, item), 0);
}

/* block: NULL, or the number of the block in a call. */
static const char *function_text(frame *f, const char *block) {
  fg_emitter *e = f->e;
  const fg_function_form *form = e->d->function_form;
  const char *item[FG_MAX_ITEMS];
  int n = arguments_of(f, block != NULL, item);
  if (fg_bulk_is_wanted(e, f->k) && f->k->launch.persistent) item[n++] = block ? e->d->bulk->given : e->d->bulk->blocks;
  if (has_local(f)) item[n++] = fg_spell(e, 1, block ? form->given_local : form->local, (fg_marks){0});
  n += fg_persistent_arguments(e, f->number, block, &item[n]);
  item[n++] = block ? block : form->block;
  const char *name = fg_arena_printf(e->cx->arena, "%s%s", fg_lower_kernel_symbol(e, f->number), form->suffix);
  return fg_spell_call(e, block ? name : fg_arena_printf(e->cx->arena, "%s %s", form->qualifier, name), item, n,
                       !block                       ? 0
                       : fg_persistent_has(e, f->k) ? 6
                                                    : 2);
}

/* The kernel's code as a function, and a kernel that calls it; or the kernel alone. */
static void write_heads(frame *f) {
  const fg_function_form *form = f->e->d->function_form;
  const char *head = head_text(f);
  bool queued = fg_persistent_has(f->e, f->k);
  fg_template_set(f->values, "head", form ? function_text(f, NULL) : head);
  fg_template_set(f->values, "kernel", form && !queued ? head : "");
  if (queued) f->e->queued[f->number] = function_text(f, "tile");
  if (!form || queued) return;
  fg_template_set(f->values, "declare", has_local(f) ? form->declare_local : "");
  fg_template_set(f->values, "call", function_text(f, form->given_block));
}

static const char *comment_text(const frame *f) {
  fg_arena *a = f->e->cx->arena;
  bool launched = f->e->launched;
  const char *stages = f->k->nstage == 1 ? "1 stage" : fg_arena_printf(a, "%d stages", f->k->nstage);
  const char *cluster =
      f->k->launch.cluster > 1 ? fg_arena_printf(a, ", clusters of %d blocks", f->k->launch.cluster) : "";
  const char *many = f->k->launch.threads == 1 ? "" : "s";
  return launched ? fg_arena_printf(a, "%s, %d thread%s a block%s", stages, f->k->launch.threads, many, cluster)
                  : stages;
}

static void note_steps(frame *f) {
  fg_emitter *e = f->e;
  if (!e->parts) return;
  if (!e->step) e->step = fg_arena_new(e->cx->arena, fg_parallel_step, fg_parallel_steps(e));
  if (f->k->nouter) {
    e->step[e->nstep++] = (fg_parallel_step){f->number, -1, fg_arena_copy(e->cx->arena, &f->uses, sizeof f->uses)};
    return;
  }
  for (int s = 0; s < f->k->nstage; s++) e->step[e->nstep++] = (fg_parallel_step){f->number, s, &f->stage_uses[s]};
}

fg_status fg_lower_kernel(fg_emitter *e, int kernel, fg_strbuf *out, fg_uses *uses) {
  const fg_kernel *k = e->p->kernel[kernel];
  frame *f = fg_arena_new(e->cx->arena, frame, 1);
  *f = (frame){.e = e, .k = k, .number = kernel, .values = fg_template_create(e->cx)};
  fg_status status = fg_cluster_check(e, k);
  if (status == FG_OK) status = fg_bulk_check(e, k);
  if (status == FG_OK) status = write_functions(f, out);
  if (status != FG_OK) return status;
  fg_nest_name_digits(e, k, NULL, f->digit, f->digit_value);
  static const char *const lists[] = {"memory", "outer", "step", "close"};
  for (int i = 0; i < 4; i++) fg_template_list(f->values, lists[i]);
  write_outer(f);
  bool bulk = fg_bulk_is_wanted(e, k);
  (bulk ? write_iteration : write_calls)(f);
  (bulk ? write_bulk_memory : write_memory)(f);
  fg_template_set(f->values, "comment", comment_text(f));
  write_heads(f);
  note_steps(f);
  *uses = f->uses;
  bool needs_memory = k->shape == FG_SHAPE_BLOCK || has_local(f);
  return fg_template_expand(e->cx, needs_memory ? "block.tmpl" : "pass.tmpl", f->values, out);
}
