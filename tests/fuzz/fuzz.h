/* What the fuzz targets share. A target is one file with LLVMFuzzerTestOneInput: it
 * gives bytes of anybody's to one reader, and requires of what was read whatever
 * later code relies on. ./dev fuzz links it with libFuzzer; the tests link it with
 * replay.c. */
#ifndef FUZZ_H
#define FUZZ_H
#include "generator/base/context.h"
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef void fuzz_body(fg_context *cx, const char *data, size_t size);
/* Calls body with a context of its own, in which each allocation has bounds that a
 * sanitizer sees. Returns 0, as LLVMFuzzerTestOneInput does. */
int fuzz_run(fuzz_body *body, const uint8_t *data, size_t size);
/* The bytes as a text, up to their first zero if they have one. */
char *fuzz_text(fg_context *cx, const char *data, size_t size);
/* A number for each input: which of several calls it is for. */
unsigned fuzz_choice(const char *data, size_t size);
/* A folder for files of this process, removed with it. */
const char *fuzz_folder(void);
void fuzz_write(const char *path, const char *data, size_t size);

/* Ends the process, with a line that says where, unless what is required holds. */
#define fuzz_require(what) ((what) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #what))
_Noreturn void fuzz_fail(const char *file, int line, const char *what);
#endif
