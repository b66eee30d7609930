/* Refusals, lines and blocks of the translation (ptx_frame.c). */
#ifndef FG_TARGETS_CUDA_PTX_FRAME_H
#define FG_TARGETS_CUDA_PTX_FRAME_H
#include "targets/cuda/ptx_parts.h"

_Noreturn void fg_ptx_refuse(fg_ptx *g, const char *what);
void *fg_ptx_grow(fg_ptx *g, void *array, int count, int *room, size_t size);
void fg_ptx_put_text(fg_ptx *g, const char *text, size_t length);
void fg_ptx_put(fg_ptx *g, const char *format, ...) __attribute__((format(printf, 2, 3)));   /* a piece of a line */
void fg_ptx_write(fg_ptx *g, const char *format, ...) __attribute__((format(printf, 2, 3))); /* a line of assembly */
void fg_ptx_put_label(fg_ptx *g, int label);

typedef struct fg_ptx_scope { /* what is forgotten at a block's end */
  int undo, memo, parked;
} fg_ptx_scope;

fg_ptx_scope fg_ptx_open_scope(const fg_ptx *g);
void fg_ptx_close_scope(fg_ptx *g, fg_ptx_scope s);
/* A block that not all threads execute, or execute again. */
void fg_ptx_enter(fg_ptx *g);
void fg_ptx_close_conditional(fg_ptx *g, fg_ptx_scope s);
#endif
