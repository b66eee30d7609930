/* libtcc as a service: compiles one translation unit into memory, with extra symbols. The tcc device and the
 * prime-field walk of the proof use it. */
#ifndef FG_TCC_H
#define FG_TCC_H
#include "targets/device.h"
#include <string.h>

typedef struct fg_tcc_code fg_tcc_code;
typedef struct fg_tcc_symbol {
  const char *name;
  const void *address;
} fg_tcc_symbol;

/* ISO C has no conversion between pointers to functions and to objects. */
static inline const void *fg_tcc_address(void (*f)(void)) {
  const void *address;
  memcpy(&address, &f, sizeof address);
  return address;
}
/* 0, or nonzero with the compiler's first message in why. symbols ends with a NULL name. */
int fg_tcc_compile(const char *source, const fg_tcc_symbol *symbols, fg_tcc_code **out, char why[FG_WHY_SIZE]);
/* The same as a shared object, written to path. */
int fg_tcc_write(const char *source, const char *path, char why[FG_WHY_SIZE]);
void *fg_tcc_find(fg_tcc_code *code, const char *name); /* NULL: not there */
void fg_tcc_free(fg_tcc_code *code);
#endif
