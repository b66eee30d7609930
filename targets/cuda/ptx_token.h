/* Words of the text (ptx_token.c). */
#ifndef FG_TARGETS_CUDA_PTX_TOKEN_H
#define FG_TARGETS_CUDA_PTX_TOKEN_H
#include "targets/cuda/ptx_parts.h"

void fg_ptx_read(fg_ptx *g, const char *source);
bool fg_ptx_is(const fg_ptx *g, int at, const char *word);
bool fg_ptx_take(fg_ptx *g, const char *word); /* moves behind it if it is there */
bool fg_ptx_take_stars(fg_ptx *g);             /* a pointer's stars and their words; whether there were any */
void fg_ptx_need(fg_ptx *g, const char *word);
int fg_ptx_behind(fg_ptx *g, int open); /* token behind the bracket that closes the one at `open` */
#endif
