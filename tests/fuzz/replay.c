/* Stands in for libFuzzer in the tests: gives a target every file of its corpus, then
 * inputs made of them by changes that a seed decides, the same in every run.
 * usage: replay FOLDER [COUNT [SEED]] */
#include "tests/fuzz/fuzz.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 256, MOST_BYTES = 1 << 16, MOST_CHANGES = 4, USUAL_COUNT = 400 };

typedef struct input {
  uint8_t *data;
  size_t size;
} input;

static input corpus[MOST_FILES];
static int files;
static uint64_t state;

/* Steele and others' SplitMix64: below `limit`, which is above 0. */
static size_t chance(size_t limit) {
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (size_t)((z ^ z >> 31) % limit);
}

static void read_file(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f || files == MOST_FILES) fuzz_fail(path, 0, "the file can be read, and is not one too many");
  input *in = &corpus[files++];
  in->data = malloc(MOST_BYTES);
  fuzz_require(in->data);
  in->size = fread(in->data, 1, MOST_BYTES, f);
  fclose(f);
}

/* In place of bytes [at, at + gone) of in: `count` others. */
static void replace(input *in, size_t at, size_t gone, const uint8_t *others, size_t count) {
  if (in->size - gone + count > MOST_BYTES) return;
  uint8_t copy[MOST_BYTES];
  if (count) memcpy(copy, others, count); /* they may be in the input */
  memmove(in->data + at + count, in->data + at + gone, in->size - at - gone);
  if (count) memcpy(in->data + at, copy, count);
  in->size += count - gone;
}

static void change(input *in) {
  static const char *const words[] = {"-1",
                                      "0",
                                      "9223372036854775807",
                                      "4611686018427387904",
                                      "1e308",
                                      "\\u0000",
                                      "\"",
                                      "{",
                                      "}",
                                      "(",
                                      ")",
                                      ",",
                                      "=",
                                      "x",
                                      "\n",
                                      "\r\n",
                                      "nan",
                                      "%s",
                                      "[1..",
                                      "..]",
                                      "\xff",
                                      ";"};
  size_t at = chance(in->size + 1), left = in->size - at;
  const input *other = &corpus[chance((size_t)files)];
  const char *word = words[chance(sizeof words / sizeof *words)];
  uint8_t byte = (uint8_t)chance(256);
  size_t from = chance(other->size + 1);
  switch (chance(6)) {
  case 0: replace(in, at, left > 0, &byte, 1); break;
  case 1: replace(in, at, 0, (const uint8_t *)word, strlen(word)); break;
  case 2: replace(in, at, chance(left + 1) % 16, NULL, 0); break;
  case 3: replace(in, at, 0, in->data + at, chance(left + 1) % 64); break;
  case 4: replace(in, at, left, other->data + from, other->size - from); break;
  default: replace(in, at, left, NULL, 0); break;
  }
}

/* A copy that ends where its bytes do: sanitizers see who reads on. */
static void give(const input *in) {
  uint8_t *exact = malloc(in->size ? in->size : 1);
  fuzz_require(exact);
  memcpy(exact, in->data, in->size);
  LLVMFuzzerTestOneInput(exact, in->size);
  free(exact);
}

static int is_file(const struct dirent *e) { return e->d_name[0] != '.'; }

int main(int argc, char **argv) {
  struct dirent **entry;
  int count = argc > 1 ? scandir(argv[1], &entry, is_file, alphasort) : 0;
  int changed = argc > 2 ? atoi(argv[2]) : USUAL_COUNT;
  state = argc > 3 ? (uint64_t)atoll(argv[3]) : 1;
  for (int i = 0; i < count; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", argv[1], entry[i]->d_name);
    read_file(path);
    printf("%s\n", entry[i]->d_name);
    fflush(stdout);
    give(&corpus[i]);
    free(entry[i]);
  }
  if (count <= 0) return fprintf(stderr, "usage: replay FOLDER [COUNT [SEED]], with files in the folder\n"), 2;
  free(entry);
  input in = {.data = malloc(MOST_BYTES)};
  fuzz_require(in.data);
  for (int i = 0; i < changed; i++) {
    const input *old = &corpus[chance((size_t)files)];
    memcpy(in.data, old->data, in.size = old->size);
    for (size_t k = 1 + chance(MOST_CHANGES); k > 0; k--) change(&in);
    give(&in);
  }
  printf("%d files and %d changed ones\n", files, changed);
  free(in.data);
  while (files) free(corpus[--files].data);
  return 0;
}
