/* A pack in one file: made in a temporary folder, then put into a tar archive. */
#ifndef FG_CLI_PACK_ARCHIVE_H
#define FG_CLI_PACK_ARCHIVE_H
#include "generator/base/context.h"

bool fg_cli_pack_is_archive(const char *name); /* it ends in .tar */
/* Creates an empty folder to be filled; then writes the archive and removes the folder. status: the result of filling;
 * no archive is written after a failure. */
fg_status fg_cli_pack_archive_begin(fg_context *cx, const char *name, const char **folder);
fg_status fg_cli_pack_archive_end(fg_context *cx, const char *name, const char *folder, fg_status status);
#endif
