/* See assembly.h. In: the text of kernels, which is proved, and their assembly. Out: whether both do the same.
 *
 * The idea: the text says what a block does, so some blocks run twice, on arrays of random elements: as assembly,
 * which is executed over the field and gives the elements that it accesses, and as the text's translation, on arrays
 * in which only these exist. All threads of a block run, and both ends of a launch. */
#include "generator/prove/assembly.h"
#include "generator/base/strbuf.h"
#include "generator/ir/count.h"
#include "generator/prove/assembly_parts.h"
#include "generator/prove/guard.h"
#include "generator/prove/text_sample_parts.h"
#include "generator/prove/translate_constants.h"
#include "generator/prove/translate_contexts.h"
#include "generator/prove/translate_token.h"

enum {
  MOST_BLOCKS = 12,         /* of a launch */
  LEAST_BLOCKS = 3,         /* in any case, if there are as many: */
  MOST_HIDDEN = 1 << 20,    /* reals of an array */
  ENOUGH = 1 << 18,         /* codelets' operations and moves of a launch's blocks */
  ENOUGH_VERIFIED = 1 << 21 /* with two primes */
};

/* ---- which blocks --------------------------------------------------------------------------- */

typedef struct blocks {
  int count;
  int64_t at[MOST_BLOCKS];
} blocks;

static void add(blocks *b, int64_t at) {
  int i = b->count;
  for (int k = 0; k < b->count; k++)
    if (b->at[k] == at) return;
  for (; i > 0 && b->at[i - 1] > at; i--) b->at[i] = b->at[i - 1];
  b->at[i] = at;
  b->count++;
}

/* The first, the last, the one before it, and random ones. */
static blocks choose(const fg_proof_sample *s, int launch) {
  blocks b = {0};
  int64_t all = fg_launch_blocks(&s->text->artifact->launch[launch], s->params);
  int64_t each = all > 0 ? fg_kernel_operations(s->text->p->kernel[launch], s->params) / all + 1 : 1;
  int64_t most = (s->text->one_prime ? ENOUGH : ENOUGH_VERIFIED) / each;
  most = most < LEAST_BLOCKS ? LEAST_BLOCKS : most > MOST_BLOCKS ? MOST_BLOCKS : most;
  uint64_t random = s->text->seed + (uint64_t)launch;
  add(&b, 0);
  if (all > 1) add(&b, all - 1);
  if (all > 3) add(&b, all - 2);
  for (int tries = 0; all > 0 && b.count < most && tries < 2 * MOST_BLOCKS; tries++)
    add(&b, (int64_t)fg_random_below((uint64_t)all, &random));
  return b;
}

/* ---- both runs ------------------------------------------------------------------------------- */

typedef struct call {
  fg_proof_sample s;
  blocks of[FG_MAX_BUFFERS]; /* of each launch */
} call;

static bool run_assembly(call *c) {
  fg_proof_sample *s = &c->s;
  for (int i = 0; i < s->text->artifact->nlaunch; i++) {
    fg_proof_asm_run *r = fg_proof_asm_begin(s, s->text->assembly, i);
    c->of[i] = choose(s, i);
    for (int k = 0; k < c->of[i].count; k++)
      if (!fg_proof_asm_block(r, c->of[i].at[k])) return false;
  }
  return true;
}

static bool is_large(const fg_sampled_array *r) { return !r->shared && !r->given && r->count > MOST_HIDDEN; }

static bool has_large(const fg_proof_sample *s) {
  for (int i = 0; i < s->nargument; i++)
    if (is_large(&s->array[i])) return true;
  return false;
}

/* Elements that the assembly has not accessed are none of the field for the text: reading one is a fault. Of larger
 * arrays they are zeros, until a run of the text has shown which pages it accesses. */
static bool hide_rest(fg_proof_sample *s, bool shown) {
  const fg_gf rest = FG_TEXT_OUTSIDE | 1;
  for (int i = 0; i < s->nargument; i++) {
    fg_sampled_array *r = &s->array[i];
    if (r->shared || r->given || (is_large(r) && !shown)) continue;
    if (is_large(r) && !fg_proof_sample_hide(s, i, rest)) return false;
    if (is_large(r)) continue;
    r->rest = rest;
    for (int64_t k = 0; k < r->count; k++) r->at[k] = rest;
  }
  return true;
}

static void run_text(call *c) {
  fg_proof_sample *s = &c->s;
  void *slot[FG_MAX_ARGUMENT_SLOTS];
  long long params[FG_MAX_PARAMS];
  for (int i = 0; i < s->nargument; i++) slot[i] = s->array[i].at;
  for (int i = 0; i < FG_MAX_PARAMS; i++) params[i] = s->params[i];
  fg_proof_text_begin(s->text->field);
  for (int i = 0; i < s->text->artifact->nlaunch; i++)
    for (int k = 0; k < c->of[i].count; k++) s->run->block(i, c->of[i].at[k], slot, params);
  if (fg_proof_text_strayed()) fg_proof_sample_fail(s, "arithmetic on a number beyond what its assembly loads");
}

static void run_both(void *data) {
  call *c = data;
  fg_proof_sample *s = &c->s;
  fg_proof_sample_grow(s);
  s->ran = fg_proof_sample_locate(s) && run_assembly(c);
  if (!s->ran || s->out->failure[0]) return;
  s->ran = fg_proof_sample_map(s);
  if (!s->ran) return;
  int runs = has_large(s) ? 2 : 1;
  for (int run = 0; run < runs && !s->out->failure[0]; run++) {
    s->ran = hide_rest(s, run > 0);
    if (!s->ran) return;
    fg_proof_sample_fill(s);
    run_text(c);
  }
  if (!s->out->failure[0]) fg_proof_sample_compare(s);
  if (!s->out->failure[0]) fg_proof_sample_compare_pages(s);
  s->out->runs++;
}

fg_status fg_proof_asm_call(const fg_proof_text *text, const fg_proof_text_functions *run, const int64_t *params,
                            bool *ran, fg_text_proof *out) {
  fg_arena *arena = fg_arena_create();
  if (!arena) return FG_ENOMEM;
  call *c = fg_arena_new(arena, call, 1);
  c->s = (fg_proof_sample){.cx = {.arena = arena}, .text = text, .run = run, .params = params, .out = out};
  c->s.guard = fg_guard_size(text->p, params);
  bool done = fg_arena_run(arena, run_both, c);
  *ran = c->s.ran || out->failure[0];
  fg_proof_sample_unmap(&c->s);
  fg_arena_destroy(arena);
  return done ? FG_OK : FG_ENOMEM;
}

const char *fg_proof_asm_blocks(fg_context *cx, const fg_artifact *c) {
  fg_strbuf s = fg_strbuf_new(cx->arena);
  fg_strbuf_add(&s, "void fg_run_block(int kernel, long long block, void *const *slot, const long long *params) {\n"
                    "  fg_block = block;\n");
  for (int i = 0; i < c->nlaunch; i++) {
    const fg_launch *l = &c->launch[i];
    fg_strbuf_addf(&s, "  if (kernel == %d) %s(", i, l->entry);
    for (int a = 0; a < l->narg; a++)
      fg_strbuf_addf(&s, "%s%s[%d]", a ? ", " : "", l->arg[a].is_param ? "params" : "slot", l->arg[a].index);
    fg_strbuf_add(&s, ");\n");
  }
  fg_strbuf_add(&s, "}\n");
  return s.text;
}

/* ---- what can be read ---------------------------------------------------------------------------- */

static const char *out_of_reach(const fg_program *p, const fg_artifact *c) {
  if (!c->nlaunch || fg_translate_needs_contexts(p, c)) return "assembly: blocks that communicate";
  if (p->nkernel != c->nlaunch) return "assembly: kernels that are launched several times";
  return NULL;
}

bool fg_prove_assembly_is_possible(const fg_program *p, const fg_artifact *c) { return !out_of_reach(p, c); }

bool fg_proof_asm_open(fg_context *cx, const fg_proof_text *text, const char *assembly, fg_translation *out,
                       fg_proof_asm *into) {
  fg_translator t = {.cx = cx, .p = text->p, .launched = text->launched, .c = text->artifact, .field = text->field};
  t.translation = out;
  *out = (fg_translation){.failure = out_of_reach(text->launched, text->artifact)};
  if (out->failure) return false;
  fg_translate_constants(&t);
  bool good = fg_proof_asm_read(&t, assembly, into);
  out->failure = t.failure;
  return good;
}

fg_status fg_prove_assembly(fg_context *cx, const fg_program *p, const char *assembly, const fg_text_options *o,
                            fg_text_proof *out) {
  fg_text_options own = *o;
  own.assembly = assembly;
  return fg_prove_text(cx, p, NULL, &own, out);
}
