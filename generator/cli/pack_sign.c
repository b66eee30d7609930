/* See pack_sign.h. In: a pack and a key. Out: PACK.tar.minisig; or, of a folder, PACK.manifest
 * and PACK.manifest.minisig. The list is checked first by its signature, then the folder by the list:
 * a list made again now must be the same, and the first line that differs names the file. */
#include "generator/cli/pack_sign.h"
#include "generator/base/strbuf.h"
#include "runtime/store/read.h"
#include "runtime/store/store.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define HEAD "fftgen_manifest 1\n"
enum { MOST_MANIFEST = 1 << 26, HASH_TEXT = 2 * FG_MINISIGN_HASH + 1 };

static int is_entry(const struct dirent *e) { return strcmp(e->d_name, ".") && strcmp(e->d_name, ".."); }
static int by_bytes(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static bool is_plain(const char *name) {
  for (; *name; name++)
    if ((unsigned char)*name < ' ' || *name == 127) return false;
  return true;
}

/* HASH BYTES NAME */
static fg_status add_file(fg_context *cx, const char *folder, const char *name, fg_status refusal, fg_strbuf *to) {
  struct stat st;
  size_t bytes;
  unsigned char hash[FG_MINISIGN_HASH];
  char text[HASH_TEXT];
  const char *path = fg_arena_printf(cx->arena, "%s/%s", folder, name);
  if (!is_plain(name))
    return fg_diag_set(&cx->diag, refusal, "%s: a file has a name with a control character, which no pack has", folder);
  if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode))
    return fg_diag_set(&cx->diag, refusal, "%s: not a regular file; a pack to be signed has nothing else", path);
  fg_status status = fg_minisign_hash_file(cx, path, hash, &bytes);
  if (status == FG_ENA) return fg_diag_set(&cx->diag, FG_ESYS, "%s: the file has disappeared", path);
  if (status != FG_OK) return status;
  fg_strbuf_addf(to, "%s %zu %s\n", sodium_bin2hex(text, sizeof text, hash, sizeof hash), bytes, name);
  return FG_OK;
}

/* refusal: the status where something is in it that cannot be signed. */
static fg_status list_folder(fg_context *cx, const char *folder, fg_status refusal, fg_strbuf *to) {
  struct dirent **entry = NULL;
  int count = scandir(folder, &entry, is_entry, by_bytes);
  if (count < 0) return fg_diag_set(&cx->diag, FG_ESYS, "%s: cannot read: %s", folder, strerror(errno));
  const char **name = fg_arena_new(cx->arena, const char *, count + 1);
  for (int i = 0; i < count; i++) {
    name[i] = fg_arena_strdup(cx->arena, entry[i]->d_name);
    free(entry[i]);
  }
  free(entry);
  *to = fg_strbuf_new(cx->arena);
  fg_strbuf_addn(to, HEAD, strlen(HEAD));
  fg_status status = FG_OK;
  for (int i = 0; i < count && status == FG_OK; i++) status = add_file(cx, folder, name[i], refusal, to);
  return status;
}

/* The name without slashes at its end, beside which files can be; is it a folder? */
static fg_status look_at(fg_context *cx, const char *given, const char **pack, bool *is_folder) {
  struct stat st;
  size_t length = strlen(given);
  while (length > 1 && given[length - 1] == '/') length--;
  *pack = fg_arena_printf(cx->arena, "%.*s", (int)length, given);
  const char *slash = strrchr(*pack, '/'), *last = slash ? slash + 1 : *pack;
  if (!*last || !strcmp(last, ".") || !strcmp(last, ".."))
    return fg_refuse(cx, "pack: '%s': signatures are beside a pack; give its own name", given);
  if (stat(*pack, &st) != 0)
    return fg_diag_set(&cx->diag, errno == ENOENT ? FG_EUSER : FG_ESYS, "pack: %s: %s; a pack is wanted", given,
                       strerror(errno));
  *is_folder = S_ISDIR(st.st_mode);
  return FG_OK;
}

fg_status fg_cli_pack_sign(fg_context *cx, const fg_minisign_secret *secret, const char *given) {
  const char *pack;
  bool is_folder;
  size_t bytes;
  fg_strbuf list;
  unsigned char hash[FG_MINISIGN_HASH];
  char id[FG_MINISIGN_ID_TEXT];
  fg_status status = look_at(cx, given, &pack, &is_folder);
  if (status == FG_OK && is_folder) {
    status = list_folder(cx, pack, FG_EUSER, &list);
    pack = fg_arena_printf(cx->arena, "%s.manifest", pack);
    if (status == FG_OK) status = fg_store_replace(cx, pack, list.text, list.length);
    if (status == FG_OK) fg_minisign_hash(list.text, list.length, hash);
  } else if (status == FG_OK) {
    status = fg_minisign_hash_file(cx, pack, hash, &bytes);
    if (status == FG_ENA) status = fg_diag_set(&cx->diag, FG_ESYS, "%s: the file has disappeared", pack);
  }
  if (status == FG_OK) status = fg_minisign_sign(cx, secret, pack, hash);
  if (status != FG_OK) return status;
  fg_minisign_id(secret->id, id);
  printf("%s" FG_MINISIGN_SUFFIX ": signed by %s\n", pack, id);
  return FG_OK;
}

/* The name in a line of the list, behind its second space; NULL: it is no such line. */
static const char *name_in(const char *line) {
  const char *space = strchr(line, ' ');
  return space && (space = strchr(space + 1, ' ')) ? space + 1 : NULL;
}

static char *take_line(char **from) {
  char *line = *from, *end = line + strcspn(line, "\n");
  if (*end) *end++ = 0;
  *from = end;
  return line;
}

/* Both are sorted by name: of two lines that differ the lesser name is in one of them alone. */
static fg_status compare(fg_context *cx, const char *pack, char *wanted, char *found) {
  while (*wanted || *found) {
    const char *a = *wanted ? take_line(&wanted) : NULL, *b = *found ? take_line(&found) : NULL;
    if (a && b && !strcmp(a, b)) continue;
    const char *signed_name = a ? name_in(a) : NULL, *name = b ? name_in(b) : NULL;
    if (a && !signed_name) return fg_diag_set(&cx->diag, FG_EWRONG, "%s.manifest: not a list of files", pack);
    int order = !name ? -1 : !signed_name ? 1 : strcmp(signed_name, name);
    const char *what = order < 0 ? "is missing, and was signed" : order > 0 ? "was not signed" : "was altered";
    return fg_diag_set(&cx->diag, FG_EWRONG, "%s/%s: this file %s", pack, order > 0 ? name : signed_name, what);
  }
  return FG_OK;
}

static fg_status verify_folder(fg_context *cx, const fg_minisign_public *key, const char *pack) {
  char *wanted;
  size_t bytes;
  fg_strbuf found;
  unsigned char hash[FG_MINISIGN_HASH];
  const char *list = fg_arena_printf(cx->arena, "%s.manifest", pack);
  fg_status status = fg_store_read(cx, list, MOST_MANIFEST, &wanted, &bytes);
  if (status == FG_ENA)
    return fg_diag_set(&cx->diag, FG_EWRONG, "%s: no signature; it would be %s and %s" FG_MINISIGN_SUFFIX, pack, list,
                       list);
  if (status != FG_OK) return status;
  fg_minisign_hash(wanted, bytes, hash);
  status = fg_minisign_verify(cx, key, list, hash);
  if (status != FG_OK) return status;
  if (strlen(wanted) != bytes || strncmp(wanted, HEAD, strlen(HEAD)))
    return fg_diag_set(&cx->diag, FG_EWRONG, "%s: no list of version 1", list);
  status = list_folder(cx, pack, FG_EWRONG, &found);
  return status == FG_OK ? compare(cx, pack, wanted, fg_arena_strdup(cx->arena, found.text)) : status;
}

fg_status fg_cli_pack_verify(fg_context *cx, const char *public_file, const char *given) {
  const char *pack;
  bool is_folder;
  size_t bytes;
  fg_minisign_public key;
  unsigned char hash[FG_MINISIGN_HASH];
  char id[FG_MINISIGN_ID_TEXT];
  fg_status status = fg_minisign_read_public(cx, public_file, &key);
  if (status == FG_OK) status = look_at(cx, given, &pack, &is_folder);
  if (status == FG_OK && is_folder) {
    status = verify_folder(cx, &key, pack);
  } else if (status == FG_OK) {
    status = fg_minisign_hash_file(cx, pack, hash, &bytes);
    if (status == FG_ENA) status = fg_diag_set(&cx->diag, FG_ESYS, "%s: the file has disappeared", pack);
    if (status == FG_OK) status = fg_minisign_verify(cx, &key, pack, hash);
  }
  if (status != FG_OK) return status;
  fg_minisign_id(key.id, id);
  printf("%s: signed by %s, and not altered\n", pack, id);
  return FG_OK;
}

fg_status fg_cli_pack_new_key(fg_context *cx, const char *name) {
  char id[FG_MINISIGN_ID_TEXT];
  fg_minisign_public key;
  fg_status status = fg_minisign_new_pair(cx, name, &key);
  if (status != FG_OK) return status;
  fg_minisign_id(key.id, id);
  printf("%s.key: keep it secret\n%s.pub: key %s, for fftgen pack --verify\n", name, name, id);
  return FG_OK;
}
