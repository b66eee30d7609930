/* Codelets and their schedules, made once and kept: candidates of one problem
 * share most of theirs, and so do the problems of a list.
 *
 * A context without a library gets one in its own arena at the first request. A
 * program that compiles many problems gives each context the same library; it is
 * for one thread at a time. */
#ifndef FG_LIBRARY_H
#define FG_LIBRARY_H
#include "generator/codelet/codelet.h"
#include "generator/codelet/schedule.h"

typedef struct fg_library fg_library;

fg_library *fg_codelet_library_create(void);          /* with an arena of its own; NULL: out of memory */
void fg_codelet_library_destroy(fg_library *library); /* NULL allowed; frees its codelets, too */
size_t fg_codelet_library_bytes(const fg_library *library);

/* As fg_codelet_create and fg_schedule_create. */
fg_status fg_codelet_library_codelet(fg_context *cx, const fg_codelet_key *key, const fg_codelet **out);
const fg_schedule *fg_codelet_library_schedule(fg_context *cx, const fg_codelet *codelet);
#endif
