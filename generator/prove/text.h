/* The proof of the emitted text: compiled, run over a field, and sampled. */
#ifndef FG_PROVE_TEXT_H
#define FG_PROVE_TEXT_H
#include "generator/print/emit.h"
#include "generator/prove/prove.h"
#include "targets/tcc.h"

typedef struct fg_proof_text { /* one emitted text over one field */
  const fg_program *p;
  const fg_program *launched; /* the same with its clusters and queues */
  const fg_artifact *artifact;
  const fg_field *field;
  uint64_t seed;
  bool one_prime;         /* one prime, for delivered text: little more than a sample is run */
  bool by_samples;        /* the field lacks roots that the definition needs: nothing is run as a whole */
  int64_t sample;         /* > 0: samples alone, of so many elements a stage */
  const fg_text_map *map; /* NULL: the text asks for no sample */
  const struct fg_translation
      *translation;             /* the artifact's source is C in numbers, translated to the field; NULL: it is not */
  fg_gf *const *table;          /* memory of translation->table: random elements, until a call is run whole */
  fg_gf *shared;                /* translation->shared numbers */
  struct fg_contexts *contexts; /* of translation->contexts */
  const struct fg_proof_asm *assembly; /* what some blocks of the text are compared with; NULL: nothing */
} fg_proof_text;

typedef struct fg_proof_text_functions { /* of the compiled text; all NULL: the artifact's instructions are run */
  void (*whole)(void *const *places, const long long *params);
  void (*part)(void *const *places, const long long *params, int step, int part, int parts);
  void (*block)(int kernel, long long block, void *const *places, const long long *params); /* with `assembly` */
} fg_proof_text_functions;

enum {
  FG_TEXT_PARTS = 3,         /* of a transform that several threads do */
  FG_TEXT_CODE_RUN = 1 << 16 /* points of instructions over one prime that are run whole */
};

#define FG_TEXT_OUTSIDE (UINT64_C(1) << 63) /* in the guards around arrays: no element of a field is as large */
/* Compiles and runs the text; its first fault is written to out->failure. */
fg_status fg_proof_text_run(fg_context *cx, const fg_proof_text *of, fg_text_proof *out);
/* Calls of it with all settings of parameters. FG_ENA: none can be run. */
fg_status fg_proof_text_settings(fg_context *cx, const fg_proof_text *text, const fg_proof_text_functions *run,
                                 fg_text_proof *out);
/* Arrays for tables that the translated text declares, between guards; of numbers of elements they are filled. */
fg_status fg_proof_text_given(fg_context *cx, fg_proof_text *text, fg_tcc_symbol *symbol, fg_text_proof *out);
/* Reals of an array of the caller's, from its first element to the last. */
int64_t fg_proof_text_reals(const fg_problem *q, const int64_t *params, bool output);
int fg_proof_text_table(const fg_program *p, const char *name); /* number; -1: none has this name */
/* Where tables are in the one block, of so many reals, that the translated text takes: each after "tables + OFFSET;" of
 * the text that fills them, in order; -1: it is not used. False: they do not fit. */
bool fg_proof_text_block(const fg_proof_text *text, int64_t reals, int64_t offset[FG_MAX_BUFFERS]);
/* Before and after a run: the field; whether it has used a guard of an array. */
void fg_proof_text_begin(const fg_field *f);
bool fg_proof_text_strayed(void);
/* One call of the text, and one in parts where it has such, each a sample of its iterations beside the program's. False
 * in *ran: there is no room for its arrays. */
fg_status fg_proof_text_sample(const fg_proof_text *text, const fg_proof_text_functions *run, const int64_t *params,
                               bool *ran, fg_text_proof *out);
/* Blocks of the text beside its assembly (assembly.h), the same. */
fg_status fg_proof_asm_call(const fg_proof_text *text, const fg_proof_text_functions *run, const int64_t *params,
                            bool *ran, fg_text_proof *out);
void fg_proof_text_begins(int stage); /* what the text says before its stages, and asks at its loops */
int fg_proof_text_leaves_out(int loop, long long at);
#endif
