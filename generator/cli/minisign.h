/* Keys and detached signatures in the text formats of minisign: Ed25519 over a
 * BLAKE2b-512 hash. Keys have no password here. The mathematics is libsodium's. */
#ifndef FG_CLI_MINISIGN_H
#define FG_CLI_MINISIGN_H
#include "generator/base/context.h"
#include <sodium.h>
#include <stddef.h>

#define FG_MINISIGN_SUFFIX ".minisig"
enum { FG_MINISIGN_ID = 8, FG_MINISIGN_HASH = crypto_generichash_BYTES_MAX, FG_MINISIGN_ID_TEXT = 17 };

typedef struct fg_minisign_secret {
  unsigned char id[FG_MINISIGN_ID]; /* of the pair, random */
  unsigned char key[crypto_sign_SECRETKEYBYTES];
} fg_minisign_secret;

typedef struct fg_minisign_public {
  unsigned char id[FG_MINISIGN_ID];
  unsigned char key[crypto_sign_PUBLICKEYBYTES];
} fg_minisign_public;

/* Writes NAME.key, which only the user may read, and NAME.pub. FG_EUSER if one of them is there already. */
fg_status fg_minisign_new_pair(fg_context *cx, const char *name, fg_minisign_public *out);
/* FG_EUSER: no such file, no key, one with a password, or (a secret one) readable by users other than its owner. A
 * caller that has read a secret key wipes it with sodium_memzero. */
fg_status fg_minisign_read_secret(fg_context *cx, const char *path, fg_minisign_secret *out);
fg_status fg_minisign_read_public(fg_context *cx, const char *path, fg_minisign_public *out);
/* The id as minisign prints it. */
void fg_minisign_id(const unsigned char id[FG_MINISIGN_ID], char text[FG_MINISIGN_ID_TEXT]);

/* The hash of bytes, and of a regular file; FG_ENA: there is none. */
void fg_minisign_hash(const void *data, size_t bytes, unsigned char hash[FG_MINISIGN_HASH]);
fg_status fg_minisign_hash_file(fg_context *cx, const char *path, unsigned char hash[FG_MINISIGN_HASH], size_t *bytes);

/* The signature of a file with that hash, written to PATH.minisig. */
fg_status fg_minisign_sign(fg_context *cx, const fg_minisign_secret *secret, const char *path,
                           const unsigned char hash[FG_MINISIGN_HASH]);
/* PATH.minisig is this key's and says this hash. FG_EWRONG with what is wrong. */
fg_status fg_minisign_verify(fg_context *cx, const fg_minisign_public *key, const char *path,
                             const unsigned char hash[FG_MINISIGN_HASH]);
#endif
