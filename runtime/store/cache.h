/* The cache of compiled kernels. Shared objects and packages, named by their content (source, compiler, flags,
 * device), are under FOLDER/objects. FOLDER/index maps a request (problem, plan, device, generator) to an object.
 *
 * Files appear atomically. A file is checked on the descriptor that is then loaded: it belongs to this user, others
 * may not write to it, and its content has the recorded hash. Any number of processes may use one folder. A program
 * runs without a cache, too. */
#ifndef FG_CACHE_H
#define FG_CACHE_H
#include "runtime/store/read.h"
#include "runtime/store/store.h"

typedef struct fg_cache {
  const char *folder;
  const char *suffix; /* of objects' names: ".so" */
  bool writable;
  const char *why; /* not writable: the reason */
} fg_cache;

/* out->suffix is given. folder NULL: $FFTGEN_CACHE, or the user's. FG_ENA with cache->why when there is
 * no folder that can be trusted. */
fg_status fg_cache_open(fg_context *cx, const char *folder, fg_cache *out);
typedef struct fg_cache_object {
  int fd;                   /* checked, open for reading */
  char name[FG_STORE_NAME]; /* by which it is loaded, as long as it is open */
  const char *path;         /* in the cache, for messages */
  const char *why;          /* FG_ENA: it is there, but not to be trusted, or damaged; NULL: it is not there */
} fg_cache_object;

/* The object for a request, whole and in place; FG_ENA when there is none. */
fg_status fg_cache_find(fg_context *cx, const fg_cache *c, const char *key, fg_cache_object *out);
void fg_cache_close(fg_cache_object *object);
/* A name for a new object to be written to, inside the folder. */
const char *fg_cache_temporary(fg_context *cx, const fg_cache *c);
/* Takes over the file `made` as the object of this address, and notes that it
 * answers key. *object: its final place. FG_ESYS: made stays as it was. */
typedef struct fg_cache_item {
  const char *key, *address;
  const char *made; /* NULL: the object is there already; key is noted */
} fg_cache_item;
fg_status fg_cache_put(fg_context *cx, const fg_cache *c, const fg_cache_item *item, const char **object);
/* The object of an address; FG_ENA when there is none. */
fg_status fg_cache_find_address(fg_context *cx, const fg_cache *c, const char *address, fg_cache_object *out);
/* Removes what was not used for longest until at most `most` bytes are left;
 * 0: the limit ($FFTGEN_CACHE_MIB, else 256 MiB); and what dead processes left. */
void fg_cache_trim(fg_context *cx, const fg_cache *c, int64_t most);
#endif
