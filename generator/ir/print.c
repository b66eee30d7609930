/* --dump=kernel: a program as text for people. */
#include "generator/base/strbuf.h"
#include "generator/ir/program.h"

static const char *const space_name[] = {"input", "output", "work", "local", "table", "given"};
static const char *const elem_name[] = {"complex", "real", "numbers of elements"};
static const char *const layout_name[] = {"interleaved", "split", "blocked", "doubled"};
static const char *const role_name[] = {"host", "block", "ring", "thread", "lane", "loop", "register"};
static const char *const scope_name[] = {"none", "register", "lane", "block", "cluster", "device", "rank"};
static const char *const transport_name[] = {"", " by stores to others' memory", " by the copy engine", " by the ring"};
static const char *const signal_name[] = {"", "", ", loads issued", ", arrive", ", wait", ", count"};
static const char *const move_name[] = {
    "element by element", "neighbouring lanes", "neighbouring lanes, the last one first",
    "one for all lanes",  "transposed",         "lane by lane"};
static const char *const fill_name[] = {[FG_FILL_TWIDDLE] = "roots of unity",
                                        [FG_FILL_DOUBLING] = "doubled roots of unity",
                                        [FG_FILL_STEPS] = "roots of unity of a codelet's steps",
                                        [FG_FILL_CHIRP] = "chirp",
                                        [FG_FILL_BLUESTEIN] = "spectrum of the chirp",
                                        [FG_FILL_POWERS] = "spectrum of the powers",
                                        [FG_FILL_RADER] = "spectrum of the powers, but 1",
                                        [FG_FILL_RADER_SUM] = "its sum",
                                        [FG_FILL_POWER] = "powers",
                                        [FG_FILL_LOGARITHM] = "logarithms",
                                        [FG_FILL_WINDOW] = "window",
                                        [FG_FILL_BAND] = "first bins of bands"};

static void print_num(fg_strbuf *s, const fg_program *p, fg_num x) {
  const char *name = x.form == FG_NUM_CONST ? "" : p->problem.param[x.param].name;
  if (x.form == FG_NUM_CONST || x.n != 1) fg_strbuf_addf(s, "%lld", (long long)x.n);
  if (x.form != FG_NUM_CONST && x.n != 1) fg_strbuf_add(s, "*");
  long long div = (long long)x.div;
  switch (x.form) {
  case FG_NUM_CONST: break;
  case FG_NUM_PARAM: fg_strbuf_add(s, name); break;
  case FG_NUM_QUOT: fg_strbuf_addf(s, "(%s/%lld)", name, div); break;
  case FG_NUM_REM: fg_strbuf_addf(s, "(%s%%%lld)", name, div); break;
  case FG_NUM_FLOOR: fg_strbuf_addf(s, "(%s-%s%%%lld)", name, name, div); break;
  case FG_NUM_CEIL: fg_strbuf_addf(s, "ceil(%s/%lld)", name, div); break;
  }
}

static void print_affine(fg_strbuf *s, const fg_program *p, const fg_kernel *k, const fg_affine *a) {
  size_t before = s->length;
  if (!fg_num_is(a->offset, 0)) print_num(s, p, a->offset);
  for (int i = 0; i < a->nterm; i++) {
    if (s->length > before) fg_strbuf_add(s, " + ");
    if (!fg_num_is(a->term[i].coef, 1)) {
      print_num(s, p, a->term[i].coef);
      fg_strbuf_add(s, " ");
    }
    fg_strbuf_add(s, k->digit[a->term[i].digit].name);
  }
  if (s->length == before) fg_strbuf_add(s, "0");
}

static void print_preds(fg_strbuf *s, const fg_program *p, const fg_kernel *k, const fg_pred *pred, int npred) {
  for (int i = 0; i < npred; i++) {
    fg_strbuf_add(s, i ? " and " : " if ");
    print_affine(s, p, k, &pred[i].value);
    if (pred[i].mod) fg_strbuf_addf(s, " mod %lld", (long long)pred[i].mod);
    fg_strbuf_add(s, " < ");
    print_num(s, p, pred[i].bound);
  }
}

/* A shift of a whole array, or what is added to the address before and behind a position. */
static void print_wrap(fg_strbuf *s, const fg_program *p, const fg_kernel *k, const fg_wrap *w) {
  if (!w->times[0] && !w->times[1]) {
    fg_strbuf_addf(s, ", shifted by %lld of %lld", (long long)w->add[0], (long long)(w->add[0] - w->add[1]));
    return;
  }
  for (int law = 0; law < 2; law++) {
    if (!w->times[law] && !w->add[law]) continue;
    fg_strbuf_addf(s, ", plus %lld + %lld (", (long long)w->add[law], (long long)w->times[law]);
    print_affine(s, p, k, &w->position);
    fg_strbuf_addf(s, ") where that is %s %lld", law ? "not below" : "below", (long long)w->split);
  }
}

static void print_access(fg_strbuf *s, const fg_program *p, const fg_kernel *k, const char *what, const fg_access *a) {
  bool bent = fg_index_is_bent(&a->index), scaled = bent && a->index.scale.n && !fg_num_is(a->index.scale, 1);
  fg_strbuf_addf(s, "      %-8s %s[", what, p->buffer[a->buffer].name);
  if (bent && (a->index.base.nterm || !fg_num_is(a->index.base.offset, 0))) {
    print_affine(s, p, k, &a->index.base);
    fg_strbuf_add(s, " + ");
  }
  if (scaled) {
    print_num(s, p, a->index.scale);
    fg_strbuf_add(s, " ");
  }
  if (a->index.lookup >= 0) fg_strbuf_add(s, p->buffer[a->index.lookup].name);
  if (bent) fg_strbuf_add(s, a->index.lookup >= 0 ? "[" : "(");
  print_affine(s, p, k, &a->index.at);
  for (int i = 0; i < a->index.nwrap; i++) print_wrap(s, p, k, &a->index.wrap[i]);
  if (a->index.mod) fg_strbuf_addf(s, " mod %lld", (long long)a->index.mod);
  if (bent) fg_strbuf_add(s, a->index.lookup >= 0 ? "]" : ")");
  fg_strbuf_add(s, "]");
  if (a->index.pad_every)
    fg_strbuf_addf(s, " padded by %lld every %lld", (long long)a->index.pad_by, (long long)a->index.pad_every);
  if (a->index.xor_mask)
    fg_strbuf_addf(s, " xor >>%lld &%lld", (long long)a->index.xor_shift, (long long)a->index.xor_mask);
  const fg_digit_swap *x = &a->index.swap;
  if (x->count)
    fg_strbuf_addf(s, " by %s: %lld and %lld exchanged, < %lld", k->digit[x->phase].name, (long long)x->low,
                   (long long)x->high, (long long)x->count);
  fg_strbuf_addf(s, ", %s < %lld", k->digit[a->reg].name, (long long)k->digit[a->reg].extent.n);
  print_preds(s, p, k, a->pred, a->npred);
  fg_strbuf_addf(s, "; %s\n", move_name[a->move]);
  if (a->rest) print_access(s, p, k, "  rest", a->rest);
}

static void print_digit(fg_strbuf *s, const fg_program *p, const fg_digit *d) {
  fg_strbuf_addf(s, " %s:%s<", d->name, role_name[d->role]);
  print_num(s, p, d->extent);
  if (d->step != 1) fg_strbuf_addf(s, " step %lld", (long long)d->step);
  if (d->last != INT64_MAX) fg_strbuf_addf(s, " clip %lld", (long long)d->last);
  if (!fg_num_is(d->start, 0)) {
    fg_strbuf_add(s, " from ");
    print_num(s, p, d->start);
  }
  if ((d->role == FG_ROLE_THREAD || fg_digit_is_of_blocks(d)) && d->div != 1)
    fg_strbuf_addf(s, " div %lld", (long long)d->div);
}

static void print_operations(fg_strbuf *s, const fg_program *p, const fg_kernel *k, const fg_operations *operations) {
  for (int i = 0; operations && i < operations->count; i++) {
    const fg_operation *x = &operations->operation[i];
    fg_strbuf_addf(s, "      then     %s", x->row->name);
    if (x->has_operand) {
      fg_strbuf_addf(s, " %s[", p->buffer[x->operand.buffer].name);
      print_affine(s, p, k, &x->operand.index.at);
      fg_strbuf_add(s, "]");
    }
    fg_strbuf_add(s, "\n");
  }
}

static void print_exchange(fg_strbuf *s, const char *what, const fg_exchange *x) {
  if (x->scope)
    fg_strbuf_addf(s, "      %-8s %s%s%s\n", what, scope_name[x->scope], transport_name[x->transport],
                   signal_name[x->signal]);
}

static void print_stage(fg_strbuf *s, const fg_program *p, const fg_kernel *k, const fg_stage *stage) {
  fg_strbuf_addf(s, "    stage: %s%s\n      digits  ", stage->what, stage->vectors.fallback ? " (scalar loop)" : "");
  for (int i = 0; i < stage->nloop; i++) print_digit(s, p, &k->digit[stage->loop[i]]);
  if (!stage->nloop) fg_strbuf_add(s, " none");
  if (stage->vectors.shared) fg_strbuf_addf(s, "; %d shared with the stage before", stage->vectors.shared);
  print_preds(s, p, k, stage->pred, stage->npred);
  fg_strbuf_add(s, "\n");
  print_exchange(s, "wait", &stage->exchange.before);
  print_access(s, p, k, "load", &stage->load);
  print_operations(s, p, k, stage->operations.loaded);
  if (stage->factors.has_twiddle) print_access(s, p, k, "twiddle", &stage->factors.twiddle);
  if (stage->factors.has_more) print_access(s, p, k, "and", &stage->factors.more);
  if (stage->factors.product) fg_strbuf_addf(s, "      factors  by %d products\n", fg_stage_products(stage));
  if (stage->factors.matrix)
    fg_strbuf_addf(s, "      product  %d points by warps, with %s\n", stage->codelet->key.n,
                   p->buffer[stage->factors.matrix].name);
  else if (stage->codelet)
    fg_strbuf_addf(s, "      codelet  %d points by %s: %d additions, %d multiplications, %d fused\n",
                   stage->codelet->key.n, stage->codelet->algo, stage->codelet->count.add + stage->codelet->count.neg,
                   stage->codelet->count.mul, stage->codelet->count.fma);
  print_exchange(s, "wait", &stage->exchange.between);
  print_operations(s, p, k, stage->operations.stored);
  print_access(s, p, k, "store", &stage->store);
  print_exchange(s, "wait", &stage->exchange.after);
  print_exchange(s, "offer", &stage->exchange.offer);
}

static void print_buffers(fg_strbuf *s, const fg_program *p) {
  for (int i = 0; i < p->nbuffer; i++) {
    const fg_buffer *b = &p->buffer[i];
    fg_strbuf_addf(s, "  buffer %-8s %-6s %lld %s, %s, %s", b->name, space_name[b->space], (long long)b->size,
                   elem_name[b->elem], layout_name[b->layout], fg_precision_name(b->precision));
    if (b->permuted) fg_strbuf_addf(s, ", %d permuted", b->permuted);
    if (fg_buffer_is_distributed(b)) fg_strbuf_addf(s, " in each of %d blocks", b->local.blocks);
    if (b->alias >= 0) fg_strbuf_addf(s, ", memory of %s", p->buffer[b->alias].name);
    if (b->table >= 0) {
      const fg_table *t = &p->table[b->table];
      fg_strbuf_addf(s, ", %s of order %lld, %lld x %lld", fill_name[t->fill], (long long)t->order, (long long)t->rows,
                     (long long)t->cols);
      if (t->panel) fg_strbuf_addf(s, ", %lld columns at a time", (long long)t->panel);
    }
    fg_strbuf_add(s, "\n");
  }
}

char *fg_program_print(fg_context *cx, const fg_program *p) {
  fg_strbuf s = fg_strbuf_new(cx->arena);
  fg_strbuf_addf(&s, "program %s\n  plan %s\n", fg_problem_print(cx, &p->problem), fg_plan_print(cx, p->plan));
  print_buffers(&s, p);
  if (p->queue.ring)
    fg_strbuf_addf(
        &s, "  queue: a ring of %d transforms, %lld tiles ahead of the %s kernel's, whose %d. stage frees%s%s%s%s\n",
        p->queue.ring, (long long)p->queue.distance * (p->queue.kernels - 1), p->queue.kernels > 2 ? "third" : "second",
        p->queue.frees + 1,
        p->queue.deferred_wait ? "; room is waited for behind the first stages"
        : p->queue.evict_last  ? "; kept in the cache"
                               : "",
        p->queue.deferred_wait > 1 ? ", the next item taken before the last" : "",
        p->queue.swap ? "; tiles take each other's places" : "",
        p->queue.discard ? ", what was loaded is dropped" : "");
  for (int i = 0; i < p->nkernel; i++) {
    const fg_kernel *k = p->kernel[i];
    fg_strbuf_addf(&s, "  kernel %s, %d thread%s a block", k->name, k->launch.threads,
                   k->launch.threads == 1 ? "" : "s");
    if (k->launch.cluster > 1) fg_strbuf_addf(&s, ", clusters of %d blocks", k->launch.cluster);
    fg_strbuf_add(&s, ", outer");
    for (int d = 0; d < k->nouter; d++) print_digit(&s, p, &k->digit[k->outer[d]]);
    fg_strbuf_add(&s, k->nouter ? "\n" : " none\n");
    for (int j = 0; j < k->nstage; j++) print_stage(&s, p, k, &k->stage[j]);
  }
  for (int i = 0; i < p->nfallback; i++) fg_strbuf_addf(&s, "  falls back: %s\n", p->fallback[i]);
  return s.text;
}
