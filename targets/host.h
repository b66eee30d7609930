/* The common part of devices on the CPU: buffers, entry points, calling and timing. The device loads the code.
 * Programs with parts are run by the team (team.h) that existed when they were created. */
#ifndef FG_HOST_H
#define FG_HOST_H
#include "targets/device.h"

enum { FG_HOST_ALIGN = 64 };

typedef struct fg_host fg_host; /* an artifact that is in memory and callable */

/* find(code, symbol): its address or NULL. Takes over nothing; the code must
 * outlive the host. Copies what it needs from the artifact. */
int fg_host_create(const fg_artifact *a, void *(*find)(void *code, const char *symbol), void *code, fg_host **out,
                   char why[FG_WHY_SIZE]);
int fg_host_run(fg_host *h, const fg_call *call, char why[FG_WHY_SIZE]);
int fg_host_time(fg_host *h, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]);
int fg_host_sample(fg_host *h, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]);
void fg_host_destroy(fg_host *h); /* NULL allowed */

/* The CPU's name and caches. */
void fg_host_facts(fg_device_facts *facts);
/* The row of a machine, with this CPU's caches, once the facts have them. */
void fg_host_machine(const char *row, fg_device_facts *facts);
/* First line of text that matters: the one with "error", else the first. */
void fg_host_first_error(const char *text, char why[FG_WHY_SIZE], const char *what);
#endif
