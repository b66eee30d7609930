/* Pages: the contents of a machine's memory, and records of accesses.
 *
 * In: cells that are accessed. Out: their values and flags, their records of this epoch and of this launch. The
 * idea: only what may be needed is kept. An input to which nothing stores is computed from its index. Records exist
 * for memory that the launch stores to, and only until its end, those of threads until the next barrier. Pages of
 * memory that no later kernel loads from are reused. Several threads of one walk share pages and the records of
 * launches, and allocate either on demand. */
#include "generator/prove/pages.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/prove/block_sample.h"
#include "generator/prove/memory.h"
#include "generator/prove/races.h"
#include "generator/prove/settings.h"

/* ---- pages --------------------------------------------------------------------------- */

/* Every element is one of the result: as many as there are, and no two of them one. Of a sample it is known what all
 * blocks store to. */
static bool is_dense(const fg_vm *m, const fg_ram *memory) {
  const fg_problem *q = &m->p->problem;
  if (m->sample) return memory->is_output;
  return memory->plain && memory->is_output && fg_settings_nested(q, m->params) &&
         memory->elements == fg_problem_elements(q, true) * fg_problem_result_count(q, m->params);
}

/* In whole groups. */
static int64_t notes_of_page(const fg_ram *memory) {
  return (fg_touch_number(memory, memory->places - 1) / FG_GROUP + 1) * FG_GROUP;
}

void fg_ram_pages(fg_vm *m, fg_ram *memory) {
  memory->packed = fg_ram_packs(m->p, m->params, memory->root);
  if (memory->packed) memory->elements = m->nest[1].elements;
  memory->plain =
      !memory->packed && !memory->mixed && !memory->part && m->p->buffer[memory->root].elem == FG_ELEM_COMPLEX;
  memory->dense = is_dense(m, memory);
  memory->given = memory->is_input && !memory->is_output;
  if (memory->given) return;
  bool small = memory->plain && 2 * memory->elements <= FG_PAGE;
  memory->npage = small ? 1 : (size_t)(2 * memory->elements / FG_PAGE + 2);
  memory->places = small ? (int)(2 * memory->elements) : FG_PAGE;
  memory->page = fg_arena_new(m->cx->arena, fg_page *, memory->npage);
  if (notes_of_page(memory) > m->most_notes) m->most_notes = notes_of_page(memory);
}

static void fill_page(const fg_vm *m, const fg_ram *memory, fg_page *page, int64_t first) {
  memset(page->flag, FG_CELL_KNOWN, (size_t)memory->places);
  for (int i = 0; i < memory->places; i++) {
    int64_t e = m->replaced ? (first + i) / m->sample->unit[FG_BUFFER_IN] : 0;
    if (m->replaced && e < m->replaced->count && fg_bits_get(m->replaced, e)) {
      page->flag[i] = 0;
      continue;
    }
    for (int prime = 0; prime < m->primes; prime++) page->value[prime][i] = fg_ram_input_cell_gf(m, prime, first + i);
    if (m->reals) page->real[i] = fg_ram_input_cell_real(m, first + i);
  }
}

/* One that is of no more use; NULL: there is none. */
static fg_page *idle_page(fg_vm *m) {
  fg_page *page = m->spare;
  m->spare = NULL;
  if (page) return page;
  pthread_mutex_lock(&m->pool->lock);
  page = m->pool->page;
  if (page) m->pool->page = page->next;
  pthread_mutex_unlock(&m->pool->lock);
  return page;
}

static fg_page *new_page(fg_vm *m, const fg_ram *memory) {
  size_t places = (size_t)memory->places;
  fg_arena *a = m->cx->arena;
  fg_page *page = fg_arena_alloc(a, sizeof *page + places);
  for (int prime = 0; prime < m->primes; prime++) page->value[prime] = fg_arena_raw(a, places * sizeof(fg_gf));
  if (m->reals) page->real = fg_arena_raw(a, places * sizeof(fg_quad));
  if (memory->part && !m->reals) page->cluster = fg_arena_new(a, fg_cluster_use, places);
  return page;
}

/* Other threads of the walk may make the same one: the first of them is the page. */
static fg_page *make_page(fg_vm *m, const fg_ram *memory, int64_t number) {
  bool like_others = memory->places == FG_PAGE && !memory->part;
  fg_page *page = like_others ? idle_page(m) : NULL, *first = NULL;
  if (page)
    memset(page->flag, 0, FG_PAGE);
  else
    page = new_page(m, memory);
  page->block = m->block_serial;
  if (memory->is_input) fill_page(m, memory, page, number * FG_PAGE);
  if (__atomic_compare_exchange_n(&memory->page[number], &first, page, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return page;
  if (like_others) m->spare = page;
  return first;
}

void fg_ram_release(fg_vm *m, int kernel) {
  bool wanted[FG_MAX_BUFFERS] = {false};
  for (int k = kernel + 1; k < m->p->nkernel; k++)
    for (int s = 0; s < m->p->kernel[k]->nstage; s++) {
      const fg_stage *x = &m->p->kernel[k]->stage[s];
      int16_t from[] = {x->load.buffer, x->factors.has_twiddle ? x->factors.twiddle.buffer : -1,
                        x->factors.has_more ? x->factors.more.buffer : -1};
      for (int i = 0; i < 3; i++)
        if (from[i] >= 0 && from[i] < m->p->nbuffer) wanted[m->memory_of[from[i]]] = true;
    }
  for (int b = 0; b < m->p->nbuffer; b++) {
    fg_ram *memory = &m->memory[b];
    if (memory->root < 0 || !memory->page || wanted[b] || memory->is_output || memory->local) continue;
    for (size_t i = 0; i < memory->npage; i++) {
      fg_page *page = memory->page[i];
      memory->page[i] = NULL;
      if (!page || memory->places < FG_PAGE) continue;
      page->next = m->pool->page;
      m->pool->page = page;
    }
  }
}

/* ---- notes --------------------------------------------------------------------------- */

void fg_ram_forget(fg_book *b) {
  for (fg_notes *next; b->used; b->used = next) {
    next = b->used->next;
    *b->used->owner = NULL;
    b->used->next = b->idle;
    b->idle = b->used;
  }
}

/* Old ones, or new ones. Threads clean theirs where they need them. */
static fg_notes *clean_notes(fg_vm *m, const fg_ram *memory, fg_book *book, pthread_mutex_t *lock) {
  if (lock) pthread_mutex_lock(lock);
  fg_notes *x = book->idle;
  if (x) book->idle = x->next;
  if (lock) pthread_mutex_unlock(lock);
  if (!x) x = fg_arena_alloc(m->cx->arena, sizeof *x + sizeof(fg_touch) * (size_t)m->most_notes);
  if (book != &m->notes) memset(x->at, 0xff, sizeof(fg_touch) * (size_t)notes_of_page(memory));
  return x;
}

/* About a page. Where other threads may make the same ones (lock), the first are it. */
static fg_notes *notes_about(fg_vm *m, const fg_ram *memory, fg_notes **page, fg_book *book, pthread_mutex_t *lock) {
  fg_notes *there = __atomic_load_n(page, __ATOMIC_ACQUIRE);
  if (there) return there;
  fg_notes *x = clean_notes(m, memory, book, lock);
  if (lock) pthread_mutex_lock(lock);
  there = *page;
  fg_notes **to = there ? &book->idle : &book->used;
  x->owner = page;
  x->next = *to;
  *to = x;
  if (!there) __atomic_store_n(page, x, __ATOMIC_RELEASE);
  if (lock) pthread_mutex_unlock(lock);
  return there ? there : x;
}

static fg_notes **list_of(fg_vm *m, const fg_ram *memory, fg_notes **list) {
  return list ? list : fg_arena_new(m->cx->arena, fg_notes *, memory->npage);
}

/* Of all blocks of a launch it is known what they store and load: those of a sample, but for a queue's tiles, whose
 * order is seen here, and blocks of one cluster. */
static bool are_blocks_apart(const fg_vm *m) { return m->sample && !m->transforms && m->ranks < 2; }

/* Without stores there are no races. */
static void iteration_notes(fg_vm *m, fg_ram *memory, int64_t page) {
  bool any = memory->written && !m->reals && !m->seen;
  memory->near_thread = NULL;
  memory->near_others = NULL;
  if (any && (m->threads || m->parts)) {
    memory->thread = list_of(m, memory, memory->thread);
    memory->near_thread = notes_about(m, memory, &memory->thread[page], &m->notes, NULL);
  }
  if (any && m->blocks > 1 && !memory->local && !are_blocks_apart(m)) {
    memory->others = list_of(m, memory, memory->others);
    memory->near_others =
        notes_about(m, memory, &memory->others[page], &m->pool->launch, m->share ? &m->pool->lock : NULL)->at;
  }
}

void fg_ram_launch(fg_vm *m, int first, int kernels) {
  if (!m->share) fg_ram_forget(&m->pool->launch);
  for (int b = 0; b < m->p->nbuffer; b++) m->memory[b].written = false;
  for (int k = first; k < first + kernels && k < m->p->nkernel; k++)
    for (int s = 0; s < m->p->kernel[k]->nstage; s++)
      m->memory[m->memory_of[m->p->kernel[k]->stage[s].store.buffer]].written = true;
}

fg_page *fg_ram_turn_to(fg_vm *m, fg_ram *memory, int64_t place) {
  int64_t number = place / FG_PAGE;
  fg_page *page = __atomic_load_n(&memory->page[number], __ATOMIC_ACQUIRE);
  if (!page) page = make_page(m, memory, number);
  if (memory->local && page->block != m->block_serial) {
    memset(page->flag, 0, (size_t)memory->places);
    page->block = m->block_serial;
  }
  iteration_notes(m, memory, number);
  memory->near_number = number;
  memory->near_epoch = m->epoch;
  return memory->near = page;
}
