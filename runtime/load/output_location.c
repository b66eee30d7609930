/* See output_location.h. */
#include "runtime/load/output_location.h"
#include "runtime/load/memory_file.h"
#include "targets/folder.h"
#include <string.h>
#include <unistd.h>

static void take_cache(fg_context *cx, const fg_cache *cache, fg_output_location *w) {
  if (!cache) return;
  w->output = fg_cache_temporary(cx, cache);
  w->in_cache = true;
}

static void take_folder(fg_context *cx, const char *root, const char *suffix, fg_output_location *w) {
  if (!root) return;
  const char *form = fg_arena_printf(cx->arena, "%s/fftgen-XXXXXX", root);
  char *folder = fg_arena_strdup(cx->arena, form), *output = fg_arena_printf(cx->arena, "%s/kernel%s", form, suffix);
  if (!fg_folder_make_in(root, folder, strlen(form) + 1)) return;
  memcpy(output, folder, strlen(folder));
  w->folder = folder;
  w->output = output;
}

static void take_memory(fg_context *cx, fg_output_location *w) {
  char *name = fg_arena_alloc(cx->arena, FG_MEMORY_FILE_NAME);
  int fd = fg_memory_file_create();
  if (fd < 0) return;
  fg_memory_file_name(name, fd);
  w->file = fd;
  w->in_memory = true;
  w->output = name;
}

bool fg_output_location_next(fg_context *cx, const fg_cache *cache, const char *suffix, fg_output_location *w) {
  enum { CACHE, FOLDERS, MEMORY = FOLDERS + FG_FOLDER_DISKS };
  fg_output_location_release(w);
  while (w->next <= MEMORY && !w->output) {
    int place = w->next++;
    if (place == CACHE)
      take_cache(cx, cache, w);
    else if (place == MEMORY)
      take_memory(cx, w);
    else
      take_folder(cx, fg_folder_root_at(place - FOLDERS), suffix, w);
  }
  return w->output != NULL;
}

void fg_output_location_release(fg_output_location *w) {
  if (w->in_memory) close(w->file);
  if (w->output && !w->in_memory) unlink(w->output);
  if (w->folder) rmdir(w->folder);
  *w = (fg_output_location){.next = w->next};
}
