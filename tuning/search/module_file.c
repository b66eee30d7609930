/* See module_file.h. Structs byte by byte, then what they point to, each piece behind its length. */
#include "tuning/search/module_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct module_file { /* either way */
  FILE *file;
  fg_arena *arena;
  bool bad;
} module_file;

static void write_piece(module_file *p, const void *bytes, size_t size) {
  p->bad = p->bad || fwrite(&size, sizeof size, 1, p->file) != 1 || (size && fwrite(bytes, size, 1, p->file) != 1);
}

static void write_text(module_file *p, const char *text) { write_piece(p, text, strlen(text) + 1); }

/* "": it is damaged. */
static void *read_piece(module_file *p, size_t *size) {
  size_t bytes = 0;
  p->bad = p->bad || fread(&bytes, sizeof bytes, 1, p->file) != 1;
  if (p->bad) bytes = 0;
  char *piece = fg_arena_alloc(p->arena, bytes + 1);
  p->bad = p->bad || (bytes && fread(piece, bytes, 1, p->file) != 1);
  piece[bytes] = 0;
  if (size) *size = bytes;
  return piece;
}

int fg_module_file_write(const char *path, const fg_artifact *a, const fg_code *code, char why[FG_WHY_SIZE]) {
  module_file p = {.file = fopen(path, "wb")};
  if (!p.file) return snprintf(why, FG_WHY_SIZE, "%.200s: cannot be written", path), 1;
  write_piece(&p, a, sizeof *a);
  write_text(&p, a->dialect), write_text(&p, a->name);
  for (int i = 0; i < a->nbuffer; i++) {
    const fg_arg_buffer *b = &a->buffer[i];
    write_text(&p, b->name);
    write_piece(&p, b->content, b->content ? fg_arg_buffer_run(b) : 0);
  }
  write_piece(&p, a->launch, (size_t)a->nlaunch * sizeof *a->launch);
  for (int i = 0; i < a->nlaunch; i++) write_text(&p, a->launch[i].entry);
  write_piece(&p, code, sizeof *code);
  write_piece(&p, code->bytes, code->size);
  if (fclose(p.file) || p.bad) return snprintf(why, FG_WHY_SIZE, "%.200s: cannot be written", path), 1;
  return 0;
}

static void read_all(module_file *p, fg_artifact *a, fg_code *code) {
  size_t bytes;
  void *piece = read_piece(p, &bytes);
  if ((p->bad = p->bad || bytes != sizeof *a)) return;
  memcpy(a, piece, sizeof *a);
  a->source = "", a->source_bytes = 0, a->flags = "", a->instructions = NULL;
  a->dialect = read_piece(p, NULL), a->name = read_piece(p, NULL);
  for (int i = 0; i < a->nbuffer; i++) {
    a->buffer[i].name = read_piece(p, NULL);
    a->buffer[i].content = read_piece(p, &bytes);
    if (!bytes) a->buffer[i].content = NULL;
  }
  a->launch = read_piece(p, NULL);
  for (int i = 0; i < a->nlaunch && !p->bad; i++) a->launch[i].entry = read_piece(p, NULL);
  piece = read_piece(p, &bytes);
  if ((p->bad = p->bad || bytes != sizeof *code)) return;
  memcpy(code, piece, sizeof *code);
  code->bytes = read_piece(p, &code->size);
}

int fg_module_file_read(fg_arena *arena, const char *path, fg_artifact *a, fg_code *code, char why[FG_WHY_SIZE]) {
  module_file p = {.file = fopen(path, "rb"), .arena = arena};
  if (p.file) read_all(&p, a, code);
  bool bad = !p.file || p.bad;
  if (p.file) fclose(p.file);
  return bad ? (snprintf(why, FG_WHY_SIZE, "%.200s: cannot be read", path), 1) : 0;
}
