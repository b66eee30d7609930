/* A team of threads for devices on the CPU: how many threads run an execution together, and the function that runs
 * it. */
#ifndef FG_TEAM_H
#define FG_TEAM_H

enum { FG_TEAM_MOST = 64 };

/* From now on; 1, as at the beginning: the caller alone. Not while a team works. 0, or nonzero: not so many. */
int fg_team_resize(int threads);
int fg_team_threads(void);
/* work(context, part, parts) for every part of fg_team_threads(), the caller's is 0; returns when all are done. */
void fg_team_run(void (*work)(void *context, int part, int parts), void *context);
#endif
