/* Module file: a built candidate, passed from the process that compiled it to the one that has the device. It has the
 * artifact's launches and buffers, the tables' contents, and machine code, in a file between processes of one
 * program; it is not a file format. */
#ifndef FG_MODULE_FILE_H
#define FG_MODULE_FILE_H
#include "generator/base/context.h"
#include "targets/device.h"

/* Nonzero and why: it could not be written. */
int fg_module_file_write(const char *path, const fg_artifact *a, const fg_code *code, char why[FG_WHY_SIZE]);
/* In the arena; the artifact's source is "". */
int fg_module_file_read(fg_arena *arena, const char *path, fg_artifact *a, fg_code *code, char why[FG_WHY_SIZE]);
#endif
