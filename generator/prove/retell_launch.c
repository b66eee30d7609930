/* Kernels that are launched, told over a field. In: their text, as functions and statements come. Out: C in which one
 * thread does what all of a block's threads do, block after block.
 *
 * The idea: barriers stand in kernels, between calls of stages, and in stages' functions, never inside of brackets.
 * What lies between two of them becomes a loop over threads; what a thread keeps across a barrier has an element for
 * each. So one thread's stores are seen by another behind a barrier, as they are, and before it in an order that nobody
 * knows. */
#include "generator/prove/retell_launch.h"
#include "generator/prove/retell_token.h"
#include "targets/ascii.h"
#include <stdio.h>
#include <string.h>

static const char opens[] = "{ for (int fg_thread = 0; fg_thread < %d; ++fg_thread) {\n";

/* Blocks that know of each other, copies that somebody else makes, vectors, and numbers of other types have words that
 * are not read. */
static bool is_simple(const fg_program *p, const fg_kernel *k) {
  bool alone = k->cluster <= 1 && !k->persistent && !k->iterations && !p->queue.ring && !k->packed;
  for (int i = 0; i < k->nstage; i++) {
    const fg_stage *s = &k->stage[i];
    alone = alone && !s->bulk && !s->arrives && !s->packed && fg_stage_lanes(k, s) == 1;
  }
  return alone;
}

bool fg_retell_is_possible(const fg_program *p, const fg_artifact *c) {
  if (!c->nlaunch) return true;
  if (strstr(c->source, "vload2(")) return false; /* OpenCL's vectors, which CPUs also get where lanes are one */
  if (p->problem.storage != p->problem.compute || p->lanes > 1 || p->nkernel != c->nlaunch) return false;
  for (int i = 0; i < p->nbuffer; i++)
    if (p->buffer[i].precision != p->problem.compute) return false;
  for (int i = 0; i < p->nkernel; i++)
    if (!is_simple(p, p->kernel[i]) || c->launch[i].cluster > 1 || c->launch[i].persistent || c->launch[i].bulk)
      return false;
  return true;
}

/* What comes before the first function is the language's. */
const char *fg_retell_first_kernel(const fg_artifact *c) {
  for (const char *line = c->source; *line; line += strcspn(line, "\n"), line += *line == '\n') {
    bool begins = !strncmp(line, "static ", 7) || !strncmp(line, "__kernel ", 9) || !strncmp(line, "extern ", 7);
    const char *name = begins ? strstr(line, c->name) : NULL;
    if (name && name < line + strcspn(line, "\n")) return line;
  }
  return c->source + strlen(c->source);
}

void fg_retell_launched_types(fg_teller *t) {
  static const char *const names[] = {"float2", "double2", "float4", "double4"};
  for (int i = 0; i < 4; i++)
    fg_retell_note(t, names[i], strlen(names[i]), (fg_retell_type){.kind = FG_TELL_VECTOR, .lanes = i < 2 ? 2 : 4},
                   true);
}

/* ---- what threads keep across barriers --------------------------------------------------------- */

enum { WORDS = 1 << 12 };

struct fg_retell_uses { /* of a function: its words, and where each occurs last */
  struct {
    const char *last;
    size_t length;
  } word[WORDS];
};

static int slot_of(const struct fg_retell_uses *u, const char *word, size_t length) {
  size_t at = 5381;
  for (size_t i = 0; i < length; i++) at = at * 33 + (unsigned char)word[i];
  for (int tries = 0; tries < WORDS; tries++, at++) {
    const char *there = u->word[at % WORDS].last;
    if (!there || (u->word[at % WORDS].length == length && !memcmp(there, word, length))) return (int)(at % WORDS);
  }
  return -1;
}

static bool is_word(char c) { return fg_is_alnum(c) || c == '_'; }

/* False: there are too many. */
static bool note_words(struct fg_retell_uses *u, const char *from, const char *to) {
  int words = 0;
  memset(u, 0, sizeof *u);
  for (const char *at = from, *end; at < to; at = end) {
    for (end = at + 1; is_word(*at) && end < to && is_word(*end);) end++;
    if (!is_word(*at) || fg_is_digit(*at)) continue;
    int slot = slot_of(u, at, (size_t)(end - at));
    words += !u->word[slot].last;
    u->word[slot].last = at, u->word[slot].length = (size_t)(end - at);
    if (words > WORDS / 2) return false;
  }
  return true;
}

static const char *next_wait(const fg_teller *t) {
  const char *wait = strstr(t->at, t->dialect->barrier_block);
  return wait && wait < t->function_end ? wait : NULL;
}

bool fg_retell_is_kept(const fg_teller *t, const char *word, size_t length) {
  if (!t->wait || t->depth != 1 || !t->threads) return false;
  int slot = t->uses ? slot_of(t->uses, word, length) : -1;
  return slot < 0 || (t->uses->word[slot].last && t->uses->word[slot].last > t->wait);
}

/* ---- threads ------------------------------------------------------------------------------------- */

void fg_retell_opens_threads(fg_teller *t) {
  const char *end = strstr(t->at, "\n}");
  t->function_end = end ? end : t->end;
  t->threads = t->p->kernel[t->kernel]->threads;
  t->wait = next_wait(t);
  if (t->wait && !t->uses) t->uses = fg_arena_alloc(t->cx->arena, sizeof *t->uses);
  if (t->wait && !note_words(t->uses, t->at, t->function_end)) t->uses = NULL; /* then all are kept */
  fg_strbuf_addf(&t->out, opens, t->threads);
}

void fg_retell_closes_threads(fg_teller *t) {
  fg_strbuf_add(&t->out, "}}\n");
  t->threads = 0;
}

/* In a kernel's own function, outside of all threads, it is only seen that it is there. */
void fg_retell_waits(fg_teller *t) {
  t->waited = true;
  if (!t->threads) return;
  if (t->depth > 1) fg_retell_fails(t, "a barrier inside of brackets");
  fg_strbuf_add(&t->out, "}}\n");
  fg_strbuf_addf(&t->out, opens, t->threads);
  t->wait = next_wait(t);
}

int64_t fg_retell_shared(const fg_artifact *c) {
  size_t most = 0;
  for (int i = 0; i < c->nlaunch; i++)
    if (c->launch[i].local_bytes > most) most = c->launch[i].local_bytes;
  return (int64_t)(most / sizeof(float)) + 1;
}

/* Blocks of a launch: n * (param < 0 ? 1 : ceil(p / div)). */
static void add_blocks(fg_strbuf *s, const fg_launch *l) {
  fg_strbuf_add(s, "1");
  for (int i = 0; i < l->nblock_factor; i++) {
    long long n = l->block_factor[i].n, div = l->block_factor[i].div;
    int param = l->block_factor[i].param;
    fg_strbuf_addf(s, " * %lldLL", n);
    if (param >= 0) fg_strbuf_addf(s, " * ((params[%d] + %lldLL) / %lldLL)", param, div - 1, div);
  }
}

void fg_retell_launches(fg_teller *t) {
  fg_strbuf *s = &t->out;
  fg_strbuf_addf(s, "void %s_entry(void *const *slot, const long long *params) {\n", t->c->name);
  for (int i = 0; i < t->c->nlaunch; i++) {
    const fg_launch *l = &t->c->launch[i];
    fg_strbuf_add(s, "  for (fg_block = 0; fg_block < ");
    add_blocks(s, l);
    fg_strbuf_addf(s, "; ++fg_block) %s(", l->entry);
    for (int a = 0; a < l->narg; a++)
      fg_strbuf_addf(s, "%s%s[%d]", a ? ", " : "", l->arg[a].is_param ? "params" : "slot", l->arg[a].index);
    fg_strbuf_add(s, ");\n");
  }
  fg_strbuf_add(s, "}\n");
}
