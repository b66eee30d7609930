/* The machine of a program. In: a program. Out: figures of its row, or of a generic one. */
#include "generator/ir/program_machine.h"

const fg_machine *fg_program_machine(const fg_program *p) {
  return p->machine
             ? p->machine
             : fg_machine_find(p->vectors.lanes > 1 || !p->nkernel || p->kernel[0]->launch.threads < 2 ? "cpu" : "gpu");
}

int64_t fg_program_segment(const fg_program *p) {
  int64_t bytes = fg_program_machine(p)->segment_bytes;
  return bytes > 0 ? bytes : fg_machine_find("gpu")->segment_bytes;
}

/* Of a CPU's row, or of any CPU's where it has none. */
static const fg_machine *cpu_of(const fg_program *p) {
  const fg_machine *m = fg_program_machine(p);
  return fg_machine_is_gpu(m) || !m->line_bytes || !m->page_bytes ? fg_machine_find("cpu") : m;
}

int64_t fg_program_line(const fg_program *p) { return cpu_of(p)->line_bytes; }

int64_t fg_program_page(const fg_program *p) { return cpu_of(p)->page_bytes; }

int64_t fg_program_machine_l2(const fg_machine *m) {
  return m->l2_bytes ? m->l2_bytes : fg_machine_find("cpu")->l2_bytes;
}
