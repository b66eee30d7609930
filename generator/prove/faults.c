/* What a walk finds wrong. In: a machine, and what it did. Out: the first fault as a sentence, which names the kernel
 * and the stage, and the number of faults. */
#include "generator/prove/vm.h"
#include "targets/number.h"
#include <stdarg.h>
#include <stdio.h>

static void note(fg_vm *m, const char *format, va_list args) {
  fg_proof *proof = m->proof;
  if (!proof->failure[0]) fg_number_vprint(proof->failure, sizeof proof->failure, format, args);
  m->failures++;
}

bool fg_prove_fail(fg_vm *m, const char *format, ...) {
  va_list args;
  va_start(args, format);
  note(m, format, args);
  va_end(args);
  return m->failures < FG_FAILURES;
}

bool fg_prove_stop(fg_vm *m, const char *format, ...) {
  va_list args;
  va_start(args, format);
  note(m, format, args);
  va_end(args);
  return false;
}

void fg_prove_where(const fg_vm *m, char text[128]) {
  const fg_kernel *k = m->p->kernel[m->kernel];
  const char *what = k->stage[m->stage].what;
  snprintf(text, 128, "kernel %.24s, stage %d (%.60s): ", k->name ? k->name : "?", m->stage, what ? what : "?");
}

static bool out_of_bounds(fg_vm *m, int buffer, int64_t e, bool store) {
  const fg_bounds *b = &m->bounds[buffer];
  char where[128];
  fg_prove_where(m, where);
  m->proof->out_of_bounds++;
  fg_prove_fail(m, "%s%s element %lld of %s, which has %lld to %lld", where, store ? "stores" : "loads", (long long)e,
                m->p->buffer[buffer].name, (long long)b->low, (long long)(b->low + b->count - 1));
  return false;
}

bool fg_prove_in_bounds(fg_vm *m, int buffer, int64_t e, bool store) {
  const fg_bounds *b = &m->bounds[buffer];
  return (e >= b->low && e - b->low < b->count) || out_of_bounds(m, buffer, e, store);
}
