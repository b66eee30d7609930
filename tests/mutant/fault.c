/* See fault.h. */
#include "tests/mutant/fault.h"
#include "targets/ascii.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 1 << 16 };

static const struct {
  const char *name;
  int weight;
} seams[SEAMS] = {
#define SEAM(NAME, weight, what) {#NAME, weight},
#include "tests/mutant/seams.def"
#undef SEAM
};

static enum { ASLEEP, WRITES, STRIKES, IDLE } state;
static FILE *list;
static uint64_t written[MOST_KEYS]; /* a table by key */
static int nwritten;
static seam chosen;
static uint64_t chosen_key, chosen_by;
static bool said;

static uint64_t mix(uint64_t x) { /* splitmix64 */
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

uint64_t fault_key_number(uint64_t key, int64_t number) { return mix(key ^ mix((uint64_t)number)); }

uint64_t fault_key_text(uint64_t key, const char *text) {
  key = fault_key_number(key, text ? (int64_t)strlen(text) : -1);
  for (; text && *text; text++) key = mix(key ^ (unsigned char)*text);
  return key;
}

uint64_t fault_key(const char *text) { return fault_key_text(0, text); }

static bool is_word(char c) { return fg_is_alnum(c) || c == '_'; }

uint64_t fault_key_names(uint64_t key, const char *text, size_t length) {
  const char *last = "";
  size_t last_length = 0;
  for (size_t at = 0, end; at < length; at = end) {
    size_t digits = at + 1;
    for (end = at + 1; is_word(text[at]) && end < length && is_word(text[end]); end++) {}
    while (digits < end && fg_is_digit(text[digits])) digits++;
    bool name = fg_is_letter(text[at]) && digits > at + 1 && end - digits <= 1;
    if (!name || (last_length == end - at && !memcmp(last, text + at, last_length))) continue;
    for (size_t i = at; i < end; i++) key = fault_key_number(key, text[i]);
    last = text + at, last_length = end - at;
  }
  return key;
}

uint64_t fault_key_value(uint64_t key, const char *value) {
  if (!value || strchr(value, '[')) return fault_key_text(key, value);
  return fault_key_names(fault_key_number(key, 1), value, strlen(value));
}

static void die(const char *what, const char *file) {
  fprintf(stderr, "mutant: %s %s\n", what, file);
  exit(70);
}

/* By the seams' weights one that something passed through, then one of its lines. */
static void choose(const char *file, uint64_t seed) {
  char line[128], name[32];
  int count[SEAMS] = {0}, all = 0;
  unsigned long long key;
  FILE *f = fopen(file, "r");
  if (!f) die("no list", file);
  for (int pass = 0; pass < 2; pass++) {
    int64_t wanted = 0;
    if (pass) {
      int64_t at = (int64_t)(mix(seed) % (uint64_t)all);
      for (chosen = 0; !count[chosen] || at >= seams[chosen].weight; chosen++)
        if (count[chosen]) at -= seams[chosen].weight;
      wanted = (int64_t)(mix(seed + 1) % (uint64_t)count[chosen]);
    }
    while (fgets(line, sizeof line, f)) {
      if (sscanf(line, "%31s %llx", name, &key) != 2) die("no line of a list in", file);
      int s = 0;
      while (s < SEAMS && strcmp(seams[s].name, name)) s++;
      if (s == SEAMS) die("an unknown seam in", file);
      count[s] += !pass;
      if (pass && (seam)s == chosen && wanted-- == 0) chosen_key = key;
    }
    for (int s = 0; s < SEAMS && !pass; s++) all += count[s] ? seams[s].weight : 0;
    if (!all) die("nothing in", file);
    rewind(f);
  }
  fclose(f);
  chosen_by = mix(seed + 2);
}

static void wake(void) {
  const char *file = getenv("FFTGEN_MUTANT_LIST"), *seed = getenv("FFTGEN_MUTANT");
  state = IDLE;
  if (!file) return;
  if (seed) {
    choose(file, strtoull(seed, NULL, 10));
    state = STRIKES;
  } else if ((list = fopen(file, "w"))) {
    state = WRITES;
  } else {
    die("cannot write", file);
  }
}

static void write_down(seam s, uint64_t key) {
  uint64_t own = fault_key_number(key, s), at = own;
  while (written[at % MOST_KEYS] && written[at % MOST_KEYS] != own) at++;
  if (written[at % MOST_KEYS] || nwritten > MOST_KEYS / 2) return;
  written[at % MOST_KEYS] = own;
  nwritten++;
  fprintf(list, "%s %llx\n", seams[s].name, (unsigned long long)key);
  fflush(list);
}

bool fault_is_here(seam s, bool in_proof, uint64_t key) {
  if (state == ASLEEP) wake();
  if (state == WRITES && !in_proof) write_down(s, key);
  return state == STRIKES && s == chosen && key == chosen_key;
}

int64_t fault_choice(int which, int64_t n) { return (int64_t)(mix(chosen_by + (uint64_t)which) % (uint64_t)n); }

void fault_say(const char *format, ...) {
  const char *file = getenv("FFTGEN_MUTANT_SAID");
  FILE *f = said || !file ? NULL : fopen(file, "a");
  said = true;
  if (!f) return;
  va_list args;
  va_start(args, format);
  fprintf(f, "%s: ", seams[chosen].name);
  vfprintf(f, format, args);
  fprintf(f, "\n");
  va_end(args);
  fclose(f);
}
