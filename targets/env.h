/* What the environment may decide. A program that runs with more rights than its caller (set-user-id, set-group-id,
 * capabilities of its file: AT_SECURE) must not be led by its caller: there, no variable is read. */
#ifndef FG_ENV_H
#define FG_ENV_H
#include <stdbool.h>
#include <stddef.h>

/* This process has rights that its caller lacks. */
bool fg_env_secure(void);
/* As getenv; NULL in such a process. The only place where this project reads the environment. */
const char *fg_env(const char *name);
/* The C compiler that the user names: $FFTGEN_CC, else $CC; NULL: neither is set, or both are empty. */
const char *fg_env_compiler(void);
/* The folder of the shared library that this address is in, with its last slash, for use in a secure process: the
 * loader's own absolute path, never argv[0]. False: it is in the program itself, or the path does not fit. */
bool fg_env_library_folder(const void *address, char *folder, size_t size);
#endif
