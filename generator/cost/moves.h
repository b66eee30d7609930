/* The cost of moving vectors, in sixteenths of an instruction per vector of complex numbers. */
#ifndef FG_COST_MOVES_H
#define FG_COST_MOVES_H
#include "generator/ir/program.h"

typedef struct fg_move_form {
  fg_move move;
  fg_layout layout;
  int slots, lanes;
  bool end_to_end; /* TRANSPOSE: lanes are `slots` apart */
  bool packed;     /* interleaved complex vectors: twice as many numbers as lanes */
  fg_elem elem;
  int rows_from;             /* slots: fg_program_rows_from */
  const fg_machine *machine; /* NULL: any CPU */
} fg_move_form;

/* How a stage's access moves. */
fg_move_form fg_cost_move_form(const fg_program *p, const fg_kernel *k, const fg_stage *s, const fg_access *a,
                               bool load);
int64_t fg_cost_of_move(const fg_move_form *f);

/* The instructions behind that cost: times * (...) / shared_by / halves of each. */
typedef struct fg_move_count {
  int64_t moves, narrow, single; /* from or to memory: of vectors, of parts of them, of one pair each */
  int64_t shuffles, selects;     /* across lanes; within lanes */
  int64_t shared_by, times, halves;
} fg_move_count;

fg_move_count fg_cost_move_counts(const fg_move_form *f);
/* All shuffles of an iteration, vectors of one part of numbers. */
int64_t fg_cost_shuffles(const fg_program *p, const fg_kernel *k, const fg_stage *s);
#endif
