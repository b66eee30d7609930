/* The place to which a new kernel is written before it is loaded: inside the cache, else in a folder for temporary
 * files, else in memory. If a place is full or not writable, there is a warning and the next one is tried. */
#ifndef FG_OUTPUT_LOCATION_H
#define FG_OUTPUT_LOCATION_H
#include "runtime/store/cache.h"

typedef struct fg_output_location { /* zero: before the first place */
  int next;                         /* of the places: 0 the cache, then folders, then memory */
  const char *output;               /* the file, that need not be there; NULL: none is taken */
  const char *folder;               /* of our own, to be removed; NULL: none */
  int file;                         /* in memory, where in_memory */
  bool in_cache, in_memory;
} fg_output_location;

/* Takes the first place, or leaves one for the next. cache: NULL, or one that may be written to. False: there are no
 * more. */
bool fg_output_location_next(fg_context *cx, const fg_cache *cache, const char *suffix, fg_output_location *w);
/* Removes what is still there of it; nothing is taken any more. */
void fg_output_location_release(fg_output_location *w);
#endif
