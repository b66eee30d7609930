/* Diagnostics: the status of a function, and the one line that a user reads.
 *
 * FG_EUSER and FG_ESYS always have a message (what, where, what is allowed); FG_ENA ("not applicable": this
 * recipe, device or algorithm does not support this problem) never does unless the caller asks why. */
#ifndef FG_DIAG_H
#define FG_DIAG_H
#include <stdarg.h>

typedef enum fg_status {
  FG_OK = 0,
  FG_EUSER = -1,     /* a user's mistake: message set, exit code 2 */
  FG_ENA = -2,       /* not applicable here: try the next one */
  FG_ESYS = -3,      /* files, processes, compilers, devices: message set, exit code 1 */
  FG_ENOMEM = -4,    /* out of memory */
  FG_EWRONG = -5,    /* a program that does not compute its problem: message set, exit code 3 */
  FG_EINTERNAL = -6, /* a mistake of the generator's own, a broken invariant: message set, exit code 4 */
} fg_status;

typedef struct fg_diag {
  fg_status status;   /* of the first failure, which is the one that is kept */
  char message[1024]; /* one line, without a newline */
} fg_diag;

/* Stores status and the formatted message in d, unless one is there already.
 * Returns `status`, so that callers write `return fg_diag_set(...)`. */
fg_status fg_diag_set(fg_diag *d, fg_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
void fg_diag_clear(fg_diag *d);
/* The process's exit code for a status: 0, 1, 2 (user), 3 (wrong) or 4 (internal). */
int fg_diag_exit_code(fg_status status);
const char *fg_status_name(fg_status status);
#endif
