/* The compiler, one function per step: pipeline.c has the order of the diagram in docs/architecture.md. */
#ifndef FG_PIPELINE_H
#define FG_PIPELINE_H
#include "generator/assemble/assemble.h"
#include "generator/ir/count.h"
#include "generator/plan/recipe.h"
#include "generator/print/emit.h"
#include "generator/prove/prove.h"

enum { FG_PROOF_SEED = 0x5eed }; /* of primes and inputs: the same every time */

typedef struct fg_compilation fg_compilation;

typedef struct fg_request {  /* what a user asks for */
  const char *problem;       /* text */
  const char *target;        /* dialect: "c", "opencl"; NULL: "c" */
  const char *isa;           /* C: row of targets/isas.c; NULL: "native" */
  const char *plan;          /* text; NULL: the cheapest candidate by the shipped model */
  const char *advised;       /* text of a plan that is tried before the candidates, where it is one; NULL: none */
  const char *const *recipe; /* user recipe files */
  int nrecipe;
  const fg_device_facts *facts;                       /* limits of the device; NULL: the target's usual ones */
  const fg_machine *machine;                          /* planned for this one, whatever is here; NULL: none is named */
  const char *prefix;                                 /* symbol name; NULL: from the problem */
  const char *command;                                /* provenance line; NULL: made from the request */
  const char *(*provenance)(const fg_compilation *c); /* the same, made when the plan is chosen; NULL: none */
  fg_strbuf *listing;                                 /* instructions are added to it; NULL: they are not */
  bool entry;                                         /* emit the uniform entry that devices call */
  bool assembly; /* the text is compiled at once: bodies of kernels may be assembly where the plan does not say */
  bool self_test;
  bool static_tables;  /* tables are arrays in the source, however large */
  bool sources_alone;  /* files are all that is wanted: the contents of large tables, which they fill, are not made */
  bool effort_fast;    /* the caller waits: a good plan soon is better than the best one late */
  bool shortest_build; /* the caller waits for the compiler alone: of candidates that the model hardly tells apart the
                 one with the least code */
} fg_request;

typedef struct fg_built { /* one candidate, assembled */
  const fg_plan *plan;
  fg_program *program;
  fg_program_cost cost;
  int order;            /* in the recipes' list: decides between equal costs */
  bool slow_to_compile; /* replaced by candidates that are not, whatever they cost */
} fg_built;

typedef struct fg_step_times { /* seconds of processors, of all candidates together */
  double decide, emit, text;   /* text: proof of the text or of the instructions */
  double added; /* by the clock: by how much later that proof ends than emission and the program's proof */
} fg_step_times;

struct fg_compilation {
  fg_context *cx;
  fg_request request;
  const fg_dialect *dialect;
  const fg_isa *isa; /* C only */
  fg_problem problem;
  fg_mapping mapping;
  fg_device_facts facts;
  int ncandidate;
  fg_built *candidate; /* assembled, cheapest first */
  fg_built chosen;
  fg_proof proof;
  fg_emitted emitted;
  bool assembled;     /* bodies of its kernels are assembly */
  fg_text_map map;    /* of its text */
  fg_text_proof text; /* of the emitted text; walked says so where it was not run */
  fg_step_times times;
};

/* Steps; each needs those before it. All but parse may be left out at the end. */
fg_status fg_pipeline_parse(fg_context *cx, const fg_request *request, fg_compilation *c);
fg_status fg_pipeline_decide(fg_compilation *c); /* candidates, cheapest first; chosen = the first, or --plan's */
/* One more candidate, assembled and counted; it does not join c's. FG_ENA: not possible for this target. */
fg_status fg_pipeline_build(const fg_compilation *c, const fg_plan *plan, fg_built *out);
fg_status fg_pipeline_prove(fg_compilation *c); /* FG_EWRONG with a message when the proof fails */
fg_status fg_pipeline_emit(fg_compilation *c);
/* The emitted text over prime fields, run by tcc, or the instructions, interpreted: all of it, over two primes.
 * FG_EWRONG with a message when it computes something else. */
fg_status fg_pipeline_prove_text(fg_compilation *c);
/* The same over one prime, long calls in samples, for delivered code; c: through fg_pipeline_emit. */
fg_status fg_pipeline_prove_emitted(fg_compilation *c);

/* After a status of a step on the chosen candidate: FG_EWRONG and FG_EINTERNAL make room for the next one, and
 * the listener (fg_context.note) receives the failure. False: there is none, or the status is another one. */
bool fg_pipeline_give_way(fg_compilation *c, fg_status status);
/* Reports the failure in c->cx to the listener, and clears it. */
void fg_pipeline_pass_over(const fg_compilation *c);

/* A step's status; the message of FG_EINTERNAL names the problem and the chosen plan. */
fg_status fg_pipeline_report(fg_compilation *c, fg_status status);

/* The candidate that is delivered: one whose program, and whose text, is proved; c: through fg_pipeline_decide. */
fg_status fg_pipeline_produce(fg_compilation *c);
/* All steps. */
fg_status fg_pipeline_compile(fg_context *cx, const fg_request *request, fg_compilation *c);
#endif
