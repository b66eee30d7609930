/* fg_isa: instruction sets of CPUs, a row each (isas.c); all precisions share a row. */
#ifndef FG_TARGETS_ISA_H
#define FG_TARGETS_ISA_H
#include <stdbool.h>

typedef struct fg_isa {
  const char *name;    /* "scalar", "avx2", "avx512": what --isa takes */
  const char *cpu;     /* whose it is: "x86-64", "aarch64"; "": everybody's */
  const char *machine; /* row of the machine that it is planned for where none is named */
  int vector_bytes;    /* 0: scalar */
  int least_bytes;     /* of vectors that it computes on; compilers make slow code of narrower ones */
  int registers;       /* vector registers the compiler may use */
  bool fma;            /* has fused multiply-add */
  bool stream;         /* has the stores past the caches that dialects spell */
  bool two_sources;    /* numbers of two vectors in any order are one operation */
  int alternating;   /* bytes of the widest vector that has x - y and x + y in alternate lanes as one operation; 0: none
                      */
  const char *flags; /* compiler flags */
  const char *half_flags;  /* further ones where vectors of halves are converted; NULL: none */
  const char *cpu_feature; /* names for the run-time check, separated by commas; "" = none */
} fg_isa;

/* Rows, ended by one without a name. */
const fg_isa *fg_isa_table(void);
const fg_isa *fg_isa_find(const char *name);
/* The widest ISA that this CPU can run. */
const fg_isa *fg_isa_native(void);
bool fg_isa_runs_here(const fg_isa *isa);
const char *fg_isa_cpu_here(void); /* as in fg_isa.cpu; "" for CPUs that no row is of */
#endif
