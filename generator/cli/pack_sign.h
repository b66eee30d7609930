/* Signatures of packs: who made a pack, and that it is unchanged. */
#ifndef FG_CLI_PACK_SIGN_H
#define FG_CLI_PACK_SIGN_H
#include "generator/cli/minisign.h"

/* An archive is signed as it is. A folder is signed by a list of all its files beside it, PACK.manifest. */
fg_status fg_cli_pack_sign(fg_context *cx, const fg_minisign_secret *secret, const char *given);
/* FG_EWRONG with what is wrong: no signature, another key, an altered file. */
fg_status fg_cli_pack_verify(fg_context *cx, const char *public_file, const char *given);
fg_status fg_cli_pack_new_key(fg_context *cx, const char *name);
#endif
