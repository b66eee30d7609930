/* Stores between the blocks of a cluster. In: a stage that stores to a buffer that is distributed over the cluster.
 * Out: statements that store its numbers.
 *
 * The idea: an address of such a buffer is a block number and an offset in that block's part. Mostly the block number
 * follows from the slot alone, because the digits contribute less than one part and no carry runs into it: then the
 * address of a block is computed once, and a store adds a constant. Otherwise the address is divided at run time.
 *
 * What a block stores to itself does not cross the network between multiprocessors, which takes 14 to 16 bytes a cycle
 * where shared memory takes 70 (docs/lab/gpu-one-pass.md). */
#include "generator/lower/cluster.h"
#include "generator/lower/access.h"
#include "generator/lower/address.h"
#include "generator/lower/memory.h"
#include "generator/lower/move.h"
#include "generator/lower/storage.h"
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/recorder_variables.h"
#include "generator/text/spell.h"
#include <string.h>

/* One exchange: stages that follow each other, and store to one buffer. */
typedef struct exchange {
  int first, last, buffer;
} exchange;

/* Exchange `number` of a kernel. False: it has not so many. */
static bool exchange_of(const fg_emitter *e, const fg_kernel *k, int number, exchange *x) {
  for (int i = 0; i < k->nstage; i++) {
    if (!fg_stage_sends(e->p, &k->stage[i])) continue;
    *x = (exchange){.first = i, .last = i, .buffer = k->stage[i].store.buffer};
    while (i + 1 < k->nstage && k->stage[i + 1].store.buffer == x->buffer) x->last = ++i;
    if (!number--) return true;
  }
  return false;
}

/* It waits before and after, and leaves nothing out. */
static bool waits_around(const fg_kernel *k, const exchange *x) {
  for (int i = x->first; i <= x->last; i++) {
    const fg_stage *s = &k->stage[i];
    bool before = fg_exchange_crosses(&s->exchange.between) || fg_exchange_crosses(&s->exchange.before),
         after = fg_exchange_crosses(&s->exchange.after);
    if (before != (i == x->first) || after != (i == x->last)) return false;
    for (const fg_access *a = &s->store; a; a = a->rest)
      if (a->npred) return false;
  }
  return true;
}

static fg_status check_exchange(const fg_emitter *e, const fg_kernel *k, const exchange *x) {
  const fg_buffer *b = &e->p->buffer[x->buffer];
  const fg_storage_row *row = fg_storage_of(e, b);
  if (row && !row->send)
    return fg_refuse(e->cx, "emit: buffer %s: the dialect %s sends no such numbers", b->name, e->d->name);
  if (b->layout != FG_LAYOUT_INTERLEAVED || b->elem != FG_ELEM_COMPLEX)
    return fg_refuse(e->cx, "emit: buffer %s: clusters exchange interleaved complex numbers", b->name);
  if (waits_around(k, x)) return FG_OK;
  return fg_refuse(e->cx, "emit: %s: an exchange in a cluster waits before and after, and is whole",
                   k->stage[x->first].what);
}

fg_status fg_cluster_check(const fg_emitter *e, const fg_kernel *k) {
  exchange x;
  fg_status status = FG_OK;
  if (k->launch.cluster < 2) return FG_OK;
  if (!e->d->cluster)
    return fg_refuse(e->cx, "emit: clusters of %d blocks: the dialect %s has none", k->launch.cluster, e->d->name);
  if (k->launch.cluster > e->d->cluster->most)
    return fg_refuse(e->cx, "emit: clusters of %d blocks: the dialect %s has up to %d", k->launch.cluster, e->d->name,
                     e->d->cluster->most);
  if (!exchange_of(e, k, 0, &x))
    return fg_refuse(e->cx, "emit: no exchange in a cluster: its blocks have nothing to share");
  for (int i = 0; status == FG_OK && exchange_of(e, k, i, &x); i++) status = check_exchange(e, k, &x);
  for (int i = 0; status == FG_OK && i < k->nstage; i++) {
    const fg_stage *s = &k->stage[i];
    if (s->exchange.between.signal == FG_SIGNAL_ISSUED)
      status = fg_refuse(e->cx, "emit: %s: arrives before its loads are over", s->what);
  }
  return status;
}

/* Where what the cluster stores to a block is counted: behind the memory of the first exchange, as the others come
 * through it as well; NULL: the kernel has none. */
static const char *mbarrier(const fg_emitter *e, const fg_kernel *k) {
  exchange x;
  if (k->launch.cluster < 2 || !exchange_of(e, k, 0, &x)) return NULL;
  int root = fg_buffer_root(e->p, x.buffer);
  return fg_coder_at(e->coder, fg_memory_pointer(e, root, 0), NULL,
                     fg_buffer_parts(&e->p->buffer[root]) * e->p->buffer[root].size);
}

/* Of one iteration's elements, those that are in another block's part than the first one's. */
static int64_t sent_slots(const fg_emitter *e, const fg_kernel *k, const fg_access *a, int64_t *value) {
  int64_t size = e->p->buffer[a->buffer].size, sent = 0, slots = a->reg >= 0 ? k->digit[a->reg].extent.n : 1;
  for (int64_t i = 0; i < slots; i++) {
    if (a->reg >= 0) value[a->reg] = fg_digit_value(&k->digit[a->reg], i, NULL);
    sent += fg_index_value(&a->index, value, NULL, NULL) >= size;
  }
  return a->rest ? sent + sent_slots(e, k, a->rest, value) : sent;
}

/* The same of a stage's loops from number `depth` on, where its conditions hold. */
static int64_t sent_from(const fg_emitter *e, const fg_kernel *k, const fg_stage *s, int depth, int64_t *value) {
  if (depth == s->nloop) return fg_preds_hold(s->pred, s->npred, value, NULL) ? sent_slots(e, k, &s->store, value) : 0;
  const fg_digit *d = &k->digit[s->loop[depth]];
  bool is_guard = !strcmp(d->name, FG_GUARD_DIGIT); /* repeats the others: it holds them back nowhere */
  int64_t sent = 0, n = is_guard ? 1 : d->extent.n;
  for (int64_t i = 0; i < n; i++) {
    value[s->loop[depth]] = fg_digit_value(d, i, NULL);
    sent += sent_from(e, k, s, depth + 1, value);
  }
  return sent;
}

/* A block gets as much from others as it sends to them, and all blocks send as much as the first one, or the proof
 * finds bytes that never come. What a block keeps is stored as it is, and is not counted. */
static int64_t bytes_of(const fg_emitter *e, const fg_kernel *k, const exchange *x) {
  int64_t value[FG_MAX_DIGITS] = {0}, sent = 0;
  for (int i = x->first; i <= x->last; i++) sent += sent_from(e, k, &k->stage[i], 0, value);
  return sent * 2 * fg_storage_bytes(e, &e->p->buffer[x->buffer]);
}

static void act_on_mbarrier(const fg_emitter *e, const fg_kernel *k, fg_code_op op, int64_t imm) {
  fg_instr i = fg_coder_instr(op, FG_CODE_NONE, 0);
  i.imm.i = imm;
  fg_coder_add_of(e->coder, i, mbarrier(e, k), NULL, NULL);
}

/* The mbarrier of exchange `number`, if there is one, expects what that brings. */
static void expect(const fg_emitter *e, const fg_kernel *k, int number, fg_code_op op) {
  exchange x;
  if (exchange_of(e, k, number, &x)) act_on_mbarrier(e, k, op, bytes_of(e, k, &x));
}

void fg_cluster_begin(const fg_emitter *e, const fg_kernel *k) {
  if (k->launch.cluster < 2) return;
  expect(e, k, 0, FG_CODE_MBARRIER_INIT);
  if (fg_exchange_crosses(&k->launch.offer)) fg_coder_act(e->coder, FG_CODE_CLUSTER_ARRIVE, 0);
}

void fg_cluster_wait(const fg_emitter *e, const fg_kernel *k, int stage) {
  exchange x;
  int number = 0;
  while (exchange_of(e, k, number, &x) && x.last != stage) number++;
  fg_coder_act(e->coder, FG_CODE_BARRIER, 0); /* what the block has stored to itself is not counted */
  act_on_mbarrier(e, k, FG_CODE_MBARRIER_WAIT, number % 2);
  expect(e, k, number + 1, FG_CODE_MBARRIER_EXPECT);
}

/* What the digits contribute beside the slot: from *least to *most. False: not known. */
static bool digits_span(const fg_writer *w, const fg_access_plan *p, int64_t *least, int64_t *most) {
  const fg_affine *at = &p->a->index.at;
  *least = *most = 0;
  for (int t = 0; t < at->nterm; t++) {
    const fg_digit *d = &w->k->digit[at->term[t].digit];
    if (at->term[t].digit == p->a->reg) continue;
    bool known = at->term[t].coef.form == FG_NUM_CONST && d->extent.form == FG_NUM_CONST && fg_num_is(d->start, 0);
    if (!known) return false;
    int64_t reach = at->term[t].coef.n * fg_digit_value(d, d->extent.n - 1, NULL);
    *(reach < 0 ? least : most) += reach;
  }
  return true;
}

static int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* Where a slot begins, from the part of the block that the address's offset is in. */
static int64_t slot_place(const fg_writer *w, const fg_access_plan *p, int slot) {
  int64_t offset = 0;
  fg_access_plan_offset(w, p, slot, 0, &offset);
  return p->a->index.at.offset.n % p->b->size + offset;
}

/* Whether all that the digits contribute stays in one block's part, with every slot. */
static bool is_split(const fg_writer *w, const fg_access_plan *p) {
  const fg_num start = p->a->index.at.offset;
  int64_t least, most, offset, size = p->b->size;
  if (!p->direct || start.form != FG_NUM_CONST || start.n < 0 || !digits_span(w, p, &least, &most)) return false;
  for (int s = 0; s < p->slots; s++) {
    if (!fg_access_plan_offset(w, p, s, 0, &offset)) return false;
    int64_t place = slot_place(w, p, s), inside = place - floor_quotient(place, size) * size;
    if (inside + least < 0 || inside + most >= size) return false;
  }
  return true;
}

/* The address is in our own part: whole blocks before it are counted apart. */
static void open_split(fg_writer *w, fg_access_plan *p) {
  int64_t size = p->b->size;
  if (!p->open && p->a->index.at.offset.n >= size) {
    fg_access *a = fg_arena_copy(w->arena, p->a, sizeof *a);
    p->whole = a->index.at.offset.n / size;
    a->index.at.offset.n %= size;
    p->a = a;
  }
  fg_access_plan_open(w, p);
}

/* Whether an address that is reduced counts whole rows, of which each part has as many:
 * what is added to them stays inside of one. */
static bool is_by_rows(const fg_writer *w, const fg_access_plan *p) {
  const fg_index *x = &p->a->index;
  int64_t most = x->base.offset.n, row = x->scale.n;
  bool plain = x->mod && x->lookup < 0 && !x->nwrap && !x->pad_every && x->scale.form == FG_NUM_CONST && row > 0 &&
               p->b->size % row == 0 && x->base.offset.form == FG_NUM_CONST && most >= 0;
  for (int t = 0; plain && t < x->base.nterm; t++) {
    const fg_digit *d = &w->k->digit[x->base.term[t].digit];
    plain = x->base.term[t].coef.form == FG_NUM_CONST && d->extent.form == FG_NUM_CONST && fg_num_is(d->start, 0) &&
            x->base.term[t].coef.n >= 0;
    if (plain) most += x->base.term[t].coef.n * fg_digit_value(d, d->extent.n - 1, NULL);
  }
  return plain && most < row;
}

/* The address of what a pointer leads to, in another block. */
static const char *peer(const fg_writer *w, const char *pointer, const char *block) {
  return fg_coder_index(w->e->coder, FG_CODE_PEER, pointer, block);
}

static const char *is_own(const fg_writer *w, const char *block) {
  return fg_coder_index(w->e->coder, FG_CODE_IS_OWN, block, NULL);
}

/* Addresses of a block: peer3 of our base pointer, mbarrier3 of its mbarrier, and own3, whether it is ours. Returns the
 * number in those names, of a second law with its pointer's letter. */
static const char *declare_peer(fg_writer *w, const fg_access_plan *p, int block) {
  bool first = p->tag == 'y';
  uint64_t *peers = first ? &w->peers : &w->peers_behind;
  const char *number = fg_arena_printf(w->arena, "%d", block);
  const char *name = first ? number : fg_arena_printf(w->arena, "%c%d", p->tag, block);
  if (*peers >> block & 1) return name;
  *peers |= UINT64_C(1) << block;
  const char *type = fg_arena_printf(w->arena, "const %s", w->e->d->cluster->address);
  fg_coder_name(w->e->coder, type, fg_arena_printf(w->arena, "peer%s", name),
                peer(w, fg_arena_printf(w->arena, "p%c", p->tag), number));
  fg_coder_name(w->e->coder, type, fg_arena_printf(w->arena, "mbarrier%s", name),
                peer(w, mbarrier(w->e, w->k), number));
  fg_coder_name(w->e->coder, type, fg_arena_printf(w->arena, "own%s", name), is_own(w, number));
  return name;
}

/* Of element `index` of all parts, or of a row: its block's number is the quotient. */
static const char *place_in(fg_writer *w, const fg_access_plan *p, const char *index, int64_t rows,
                            const char *behind) {
  fg_coder *c = w->e->coder;
  const char *at = fg_coder_index(c, FG_CODE_MOD, index, fg_coder_int(c, rows));
  at = fg_coder_index(c, FG_CODE_MUL, at, fg_coder_int(c, 2 * p->b->size / rows));
  if (behind) at = fg_coder_index(c, FG_CODE_ADD, at, behind);
  return fg_coder_at(c, fg_memory_pointer(w->e, p->memory, 0), at, 0);
}

static void send_by_quotient(fg_writer *w, fg_access_plan *p, int slot, fg_marks *marks) {
  bool by_rows = is_by_rows(w, p);
  int64_t rows = by_rows ? p->b->size / p->a->index.scale.n : p->b->size;
  const char *index = by_rows ? fg_access_plan_residue(w, p, slot) : fg_access_plan_index(w, p, slot);
  const char *behind = by_rows ? fg_access_plan_behind(w, p, slot) : NULL;
  const char *block = fg_coder_index(w->e->coder, FG_CODE_DIV, index, fg_coder_int(w->e->coder, rows));
  marks->p = peer(w, place_in(w, p, index, rows, behind), block);
  marks->i = peer(w, mbarrier(w->e, w->k), block);
  marks->c = is_own(w, block);
}

/* In marks: %p where to, %i its mbarrier, %c whether it is our own, %a and %b the numbers, or %v both. */
static void record_send(fg_writer *w, const fg_storage_row *row, const fg_marks *marks) {
  fg_coder *c = w->e->coder;
  int32_t block[] = {fg_coder_value(c, marks->i), fg_coder_value(c, marks->c)};
  fg_instr i = {.op = FG_CODE_SEND, .a = fg_coder_value(c, marks->p), .list = fg_coder_list(c, block, 2)};
  i.b = fg_coder_value(c, row ? marks->v : marks->a);
  i.c = row ? -1 : fg_coder_value(c, marks->b);
  i.imm.i = row ? row->stored + 1 : 0;
  fg_coder_add(c, i);
}

void fg_cluster_send(fg_writer *w, fg_access_plan *p, int slot) {
  const fg_storage_row *row = fg_storage_row_for(w, p, 1);
  fg_marks marks = {.a = w->value[p->first + 2 * slot], .b = w->value[p->first + 2 * slot + 1]};
  if (row) marks.v = w->hold_row ? marks.a : fg_coder_pair(w->e->coder, marks.a, marks.b, row);
  long long size = (long long)p->b->size, bytes = 2 * fg_storage_bytes(w->e, p->b);
  w->uses.memory[p->memory] = w->uses.stored[p->memory] = true;
  if (is_split(w, p)) {
    int64_t offset;
    open_split(w, p);
    fg_access_plan_offset(w, p, slot, 0, &offset);
    int64_t block = floor_quotient(slot_place(w, p, slot), size);
    const char *name = declare_peer(w, p, (int)(block + p->whole));
    marks.p = fg_coder_index(w->e->coder, FG_CODE_ADD, fg_arena_printf(w->arena, "peer%s", name),
                             fg_coder_int(w->e->coder, (offset - block * size) * bytes));
    marks.i = fg_arena_printf(w->arena, "mbarrier%s", name);
    marks.c = fg_arena_printf(w->arena, "own%s", name);
  } else {
    send_by_quotient(w, p, slot, &marks);
  }
  record_send(w, row, &marks);
}

/* ---- loads that are over -------------------------------------------------------------- */

static void load_slots(fg_writer *w, fg_access_plan *p) {
  for (int s = 0; s < p->slots; s++) fg_move_load_slot(w, p, s);
}

/* The codelet belongs between arriving and waiting; else compilers may move it before
 * or behind both, as registers make it cheaper. */
static bool is_late(const fg_writer *w) {
  return w->e->p->plan && fg_plan_param_value(w->e->p->plan, FG_PARAM_DEFERRED_STORE);
}

static void wait_for(const fg_writer *w, const int32_t *value, int count) {
  fg_coder *c = w->e->coder;
  if (!count) return;
  fg_instr i = fg_coder_instr(FG_CODE_LOADED, FG_CODE_NONE, 0);
  i.list = fg_coder_list(c, value, count), i.imm.i = (int64_t)2 * count + is_late(w);
  fg_coder_add_of(c, i, is_late(w) ? mbarrier(w->e, w->k) : NULL, NULL, NULL);
}

/* All threads must arrive, once: not inside a guard, nor in a loop. */
static bool arrives_inside(const fg_writer *w) { return w->hold_iterations == 1 && !w->stage->npred; }

void fg_cluster_use(fg_writer *w) {
  if (w->stage->factors.has_more) load_slots(w, &w->twiddle); /* on their way meanwhile */
  if (w->stage->factors.has_more) load_slots(w, &w->more);
  load_slots(w, &w->load);
  int32_t *value = fg_arena_new(w->arena, int32_t, w->load.slots);
  int count = 0;
  for (int s = 0; s < w->load.slots; s++) {
    if (!w->load.needed[2 * s] && !w->load.needed[2 * s + 1]) continue;
    value[count++] = fg_coder_value(w->e->coder, fg_move_loaded_name(w, &w->load, 2 * s));
  }
  wait_for(w, value, count);
  if (arrives_inside(w)) fg_coder_act(w->e->coder, FG_CODE_CLUSTER_ARRIVE, 0);
}

/* Late: the results are held by now. */
void fg_cluster_cross(fg_writer *w) {
  fg_coder *c = w->e->coder;
  if (!arrives_inside(w)) fg_coder_act(c, FG_CODE_CLUSTER_ARRIVE, 0);
  int64_t step = w->hold_row ? 1 : w->after.parts, values = w->hold_iterations * w->results * step / w->after.parts;
  int32_t *value = fg_arena_new(w->arena, int32_t, values + 1);
  int count = 0;
  for (int64_t i = 0; is_late(w) && i < values; i += step)
    value[count++] = fg_coder_value(c, fg_coder_element(c, "hold", NULL, i));
  wait_for(w, value, count);
  fg_coder_act(c, FG_CODE_CLUSTER_WAIT, 0);
}
