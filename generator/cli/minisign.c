/* See minisign.h. A file of keys or signatures has lines of a comment and lines of base64, alternating; the base64
 * encodes the structs below, byte for byte. */
#include "generator/cli/minisign.h"
#include "runtime/store/read.h"
#include "runtime/store/store.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define UNTRUSTED "untrusted comment: "
#define TRUSTED "trusted comment: "
enum { MOST_FILE = 1 << 14, CHECK = crypto_generichash_BYTES, SALT = 48, LINES = 4 };

/* All of them are arrays of bytes: nothing is between the fields. */
typedef struct public_file {
  char algorithm[2]; /* Ed */
  unsigned char id[FG_MINISIGN_ID], key[crypto_sign_PUBLICKEYBYTES];
} public_file;

typedef struct secret_file {
  char algorithm[2];  /* Ed */
  char password[2];   /* how the key is made from one; zeros: there is none */
  char check_kind[2]; /* B2 */
  unsigned char salt[SALT];
  unsigned char id[FG_MINISIGN_ID], key[crypto_sign_SECRETKEYBYTES];
  unsigned char check[CHECK]; /* hash of algorithm, id and key; or zeros */
} secret_file;

typedef struct signature_file {
  char algorithm[2]; /* ED: of a hash */
  unsigned char id[FG_MINISIGN_ID], signature[crypto_sign_BYTES];
} signature_file;

_Static_assert(sizeof(public_file) == 42 && sizeof(secret_file) == 158 && sizeof(signature_file) == 74, "no padding");

static fg_status begin(fg_context *cx) {
  return sodium_init() < 0 ? fg_diag_set(&cx->diag, FG_ESYS, "libsodium: it cannot be started") : FG_OK;
}

void fg_minisign_id(const unsigned char id[FG_MINISIGN_ID], char text[FG_MINISIGN_ID_TEXT]) {
  for (int i = 0; i < FG_MINISIGN_ID; i++) snprintf(text + 2 * i, 3, "%02X", id[FG_MINISIGN_ID - 1 - i]);
}

static const char *base64(fg_context *cx, const void *data, size_t bytes) {
  size_t length = sodium_base64_encoded_len(bytes, sodium_base64_VARIANT_ORIGINAL);
  char *text = fg_arena_alloc(cx->arena, length);
  return sodium_bin2base64(text, length, data, bytes, sodium_base64_VARIANT_ORIGINAL);
}

/* Exactly so many bytes. */
static bool from_base64(const char *text, void *data, size_t bytes) {
  size_t got;
  const char *end;
  return !sodium_base642bin(data, bytes, text, strlen(text), NULL, &got, &end, sodium_base64_VARIANT_ORIGINAL) &&
         got == bytes && !*end;
}

/* Cuts text into lines; how many there are, LINES + 1 where there are more. */
static int lines_of(char *text, size_t bytes, char *line[LINES]) {
  int n = 0;
  if (strlen(text) != bytes) return 0;
  for (char *end; *text; text = end) {
    end = text + strcspn(text, "\n");
    if (*end) *end++ = 0;
    if (n == LINES) return LINES + 1;
    size_t length = strlen(text);
    if (length && text[length - 1] == '\r') text[length - 1] = 0;
    line[n++] = text;
  }
  return n;
}

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

/* A comment, then base64 of so many bytes. */
static bool is_key(char *text, size_t bytes, void *data, size_t size) {
  char *line[LINES];
  return lines_of(text, bytes, line) == 2 && begins(line[0], UNTRUSTED) && from_base64(line[1], data, size);
}

fg_status fg_minisign_read_public(fg_context *cx, const char *path, fg_minisign_public *out) {
  char *text;
  size_t bytes;
  public_file file;
  fg_status status = begin(cx);
  if (status == FG_OK) status = fg_store_read(cx, path, MOST_FILE, &text, &bytes);
  if (status == FG_ENA) return fg_refuse(cx, "%s: no such file; a public key is wanted", path);
  if (status != FG_OK) return status;
  if (!is_key(text, bytes, &file, sizeof file) || memcmp(file.algorithm, "Ed", 2))
    return fg_refuse(cx, "%s: no public key; NAME.pub of fftgen pack --new-key or of minisign", path);
  memcpy(out->id, file.id, sizeof out->id);
  memcpy(out->key, file.key, sizeof out->key);
  return FG_OK;
}

/* Only the one who owns the file can have read it. */
static fg_status check_rights(fg_context *cx, int fd, const char *path) {
  struct stat st;
  if (fstat(fd, &st) != 0) return fg_diag_set(&cx->diag, FG_ESYS, "%s: cannot read: %s", path, strerror(errno));
  if (st.st_uid != geteuid())
    return fg_refuse(cx, "%s: this secret key belongs to another user; your own is wanted", path);
  if (st.st_mode & 077)
    return fg_refuse(cx, "%s: others may reach this secret key (mode %04o); mode 0600 is wanted", path,
                     (unsigned)st.st_mode & 07777);
  return FG_OK;
}

static void check_of(const secret_file *file, unsigned char check[CHECK]) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, NULL, 0, CHECK);
  crypto_generichash_update(&state, (const unsigned char *)file->algorithm, sizeof file->algorithm);
  crypto_generichash_update(&state, file->id, sizeof file->id);
  crypto_generichash_update(&state, file->key, sizeof file->key);
  crypto_generichash_final(&state, check, CHECK);
}

/* minisign leaves the check of keys without a password zero. Whatever it says, the
 * second half of a key is the public one, which the first half gives. */
static bool is_whole(const secret_file *file) {
  unsigned char check[CHECK], seed[crypto_sign_SEEDBYTES], public[crypto_sign_PUBLICKEYBYTES], again[sizeof file->key];
  check_of(file, check);
  crypto_sign_ed25519_sk_to_seed(seed, file->key);
  crypto_sign_seed_keypair(public, again, seed);
  bool whole = !sodium_memcmp(again, file->key, sizeof again) &&
               (sodium_is_zero(file->check, CHECK) || !memcmp(check, file->check, CHECK));
  sodium_memzero(seed, sizeof seed);
  sodium_memzero(again, sizeof again);
  return whole;
}

static fg_status take_secret(fg_context *cx, const char *path, const secret_file *file, fg_minisign_secret *out) {
  if (!sodium_is_zero((const unsigned char *)file->password, sizeof file->password))
    return fg_refuse(cx, "%s: this key has a password; one without is wanted (minisign -G -W)", path);
  if (!is_whole(file)) return fg_refuse(cx, "%s: this secret key is damaged; a whole one is wanted", path);
  memcpy(out->id, file->id, sizeof out->id);
  memcpy(out->key, file->key, sizeof out->key);
  return FG_OK;
}

fg_status fg_minisign_read_secret(fg_context *cx, const char *path, fg_minisign_secret *out) {
  int fd;
  char *text;
  size_t bytes;
  secret_file file;
  fg_status status = begin(cx);
  if (status == FG_OK) status = fg_store_open(cx, path, &fd);
  if (status == FG_ENA) return fg_refuse(cx, "%s: no such file; a secret key is wanted (fftgen pack --new-key)", path);
  if (status != FG_OK) return status;
  status = check_rights(cx, fd, path);
  if (status == FG_OK) status = fg_store_read_open(cx, fd, path, MOST_FILE, &text, &bytes);
  close(fd);
  if (status != FG_OK) return status;
  if (!is_key(text, bytes, &file, sizeof file) || memcmp(file.algorithm, "Ed", 2) || memcmp(file.check_kind, "B2", 2))
    status = fg_refuse(cx, "%s: no secret key; NAME.key of fftgen pack --new-key is wanted", path);
  else
    status = take_secret(cx, path, &file, out);
  sodium_memzero(text, bytes);
  sodium_memzero(&file, sizeof file);
  return status;
}

/* A file that was not there; what was begun is removed by the caller. */
static fg_status create(fg_context *cx, const char *path, mode_t mode, const char *text) {
  size_t length = strlen(text);
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0 && errno == EEXIST)
    return fg_refuse(cx, "%s: it is there already, and keys are not overwritten; another name", path);
  if (fd < 0) return fg_diag_set(&cx->diag, FG_ESYS, "%s: cannot write: %s", path, strerror(errno));
  bool whole = write(fd, text, length) == (ssize_t)length && fsync(fd) == 0;
  if (close(fd) == 0 && whole) return FG_OK;
  fg_diag_set(&cx->diag, FG_ESYS, "%s: cannot write: %s", path, strerror(errno));
  unlink(path);
  return FG_ESYS;
}

static char *secret_text(fg_context *cx, const char *id, secret_file *file) {
  memcpy(file->algorithm, "Ed", 2);
  memcpy(file->check_kind, "B2", 2);
  check_of(file, file->check);
  return fg_arena_printf(cx->arena, UNTRUSTED "fftgen secret key %s\n%s\n", id, base64(cx, file, sizeof *file));
}

fg_status fg_minisign_new_pair(fg_context *cx, const char *name, fg_minisign_public *out) {
  char id[FG_MINISIGN_ID_TEXT];
  secret_file secret = {0};
  public_file public = {.algorithm = {'E', 'd'}};
  fg_status status = begin(cx);
  if (status != FG_OK) return status;
  randombytes_buf(secret.id, sizeof secret.id);
  crypto_sign_keypair(public.key, secret.key);
  memcpy(public.id, secret.id, sizeof public.id);
  memcpy(out->id, public.id, sizeof out->id);
  memcpy(out->key, public.key, sizeof out->key);
  fg_minisign_id(public.id, id);
  char *text = secret_text(cx, id, &secret);
  const char *path = fg_arena_printf(cx->arena, "%s.key", name);
  status = create(cx, path, 0600, text);
  sodium_memzero(text, strlen(text));
  sodium_memzero(&secret, sizeof secret);
  if (status != FG_OK) return status;
  text = fg_arena_printf(cx->arena, UNTRUSTED "fftgen public key %s\n%s\n", id, base64(cx, &public, sizeof public));
  status = create(cx, fg_arena_printf(cx->arena, "%s.pub", name), 0644, text);
  if (status != FG_OK) unlink(path); /* made just now, and by this call */
  return status;
}

void fg_minisign_hash(const void *data, size_t bytes, unsigned char hash[FG_MINISIGN_HASH]) {
  crypto_generichash(hash, FG_MINISIGN_HASH, data, bytes, NULL, 0);
}

fg_status fg_minisign_hash_file(fg_context *cx, const char *path, unsigned char hash[FG_MINISIGN_HASH], size_t *bytes) {
  int fd;
  ssize_t n;
  unsigned char piece[1 << 14];
  crypto_generichash_state state;
  fg_status status = fg_store_open(cx, path, &fd);
  if (status != FG_OK) return status;
  crypto_generichash_init(&state, NULL, 0, FG_MINISIGN_HASH);
  for (*bytes = 0; (n = read(fd, piece, sizeof piece)) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    crypto_generichash_update(&state, piece, (size_t)n);
    *bytes += (size_t)n;
  }
  if (n < 0) status = fg_diag_set(&cx->diag, FG_ESYS, "%s: cannot read: %s", path, strerror(errno));
  close(fd);
  crypto_generichash_final(&state, hash, FG_MINISIGN_HASH);
  return status;
}

/* What the second signature is of: the first and the trusted comment. */
static const unsigned char *with_comment(fg_context *cx, const signature_file *file, const char *comment,
                                         size_t *bytes) {
  unsigned char *all = fg_arena_alloc(cx->arena, sizeof file->signature + strlen(comment) + 1);
  memcpy(all, file->signature, sizeof file->signature);
  memcpy(all + sizeof file->signature, comment, strlen(comment) + 1);
  *bytes = sizeof file->signature + strlen(comment);
  return all;
}

fg_status fg_minisign_sign(fg_context *cx, const fg_minisign_secret *secret, const char *path,
                           const unsigned char hash[FG_MINISIGN_HASH]) {
  char id[FG_MINISIGN_ID_TEXT];
  size_t bytes;
  unsigned char second[crypto_sign_BYTES];
  signature_file file = {.algorithm = {'E', 'D'}};
  const char *slash = strrchr(path, '/');
  const char *comment = fg_arena_printf(cx->arena, "file:%s\thashed", slash ? slash + 1 : path);
  memcpy(file.id, secret->id, sizeof file.id);
  crypto_sign_detached(file.signature, NULL, hash, FG_MINISIGN_HASH, secret->key);
  const unsigned char *all = with_comment(cx, &file, comment, &bytes);
  crypto_sign_detached(second, NULL, all, bytes, secret->key);
  fg_minisign_id(secret->id, id);
  const char *text = fg_arena_printf(cx->arena, UNTRUSTED "signature by fftgen's key %s\n%s\n" TRUSTED "%s\n%s\n", id,
                                     base64(cx, &file, sizeof file), comment, base64(cx, second, sizeof second));
  return fg_store_replace(cx, fg_arena_printf(cx->arena, "%s" FG_MINISIGN_SUFFIX, path), text, strlen(text));
}

static fg_status wrong_key(fg_context *cx, const char *path, const signature_file *file,
                           const fg_minisign_public *key) {
  char theirs[FG_MINISIGN_ID_TEXT], wanted[FG_MINISIGN_ID_TEXT];
  fg_minisign_id(file->id, theirs);
  fg_minisign_id(key->id, wanted);
  return fg_diag_set(&cx->diag, FG_EWRONG, "%s: signed by another key, %s; %s is wanted", path, theirs, wanted);
}

fg_status fg_minisign_verify(fg_context *cx, const fg_minisign_public *key, const char *path,
                             const unsigned char hash[FG_MINISIGN_HASH]) {
  char *text, *line[LINES];
  size_t bytes;
  signature_file file;
  unsigned char second[crypto_sign_BYTES];
  const char *name = fg_arena_printf(cx->arena, "%s" FG_MINISIGN_SUFFIX, path);
  fg_status status = fg_store_read(cx, name, MOST_FILE, &text, &bytes);
  if (status == FG_ENA) return fg_diag_set(&cx->diag, FG_EWRONG, "%s: no signature; it would be %s", path, name);
  if (status != FG_OK) return status;
  if (lines_of(text, bytes, line) != LINES || !begins(line[0], UNTRUSTED) || !begins(line[2], TRUSTED) ||
      !from_base64(line[1], &file, sizeof file) || !from_base64(line[3], second, sizeof second) ||
      memcmp(file.algorithm, "ED", 2))
    return fg_diag_set(&cx->diag, FG_EWRONG, "%s: no signature of minisign's form, of a hash (ED)", name);
  if (memcmp(file.id, key->id, sizeof file.id)) return wrong_key(cx, name, &file, key);
  if (crypto_sign_verify_detached(file.signature, hash, FG_MINISIGN_HASH, key->key))
    return fg_diag_set(&cx->diag, FG_EWRONG, "%s: altered; it is not what %s signs", path, name);
  const unsigned char *all = with_comment(cx, &file, line[2] + strlen(TRUSTED), &bytes);
  if (crypto_sign_verify_detached(second, all, bytes, key->key))
    return fg_diag_set(&cx->diag, FG_EWRONG, "%s: altered; its trusted comment is not what was signed", name);
  return FG_OK;
}
