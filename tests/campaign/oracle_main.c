/* The campaign's definition as a program; campaign.sh calls it. A list has lines "K DOOR ISA VALUES PROBLEM", or
 * "... PROBLEM | PLAN".
 *
 * usage: campaign_oracle draw SEED FIRST COUNT DOOR ISA    a list on standard output; - for what is drawn
 *        campaign_oracle sweep SEED FIRST COUNT            the same of the sweep; COUNT 0: all that is left
 *        campaign_oracle fill SEED LIST FOLDER             writes FOLDER/K.in
 *        campaign_oracle check LIST FOLDER                 FOLDER/K.in against K.after: lines "K passed WORST"
 *                                                          or "K wrong SENTENCE"; cases without K.after left out */
#include "draw.h"
#include "numbers.h"
#include "oracle.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int draw(char **argv) {
  uint64_t seed = strtoull(argv[2], NULL, 10);
  long long first = atoll(argv[3]), count = atoll(argv[4]);
  const char *door = strcmp(argv[5], "-") == 0 ? NULL : argv[5], *isa = strcmp(argv[6], "-") == 0 ? NULL : argv[6];
  for (long long k = first; k < first + count; k++) {
    drawn d;
    draw_case(seed, k, door, isa, &d);
    printf("%lld %s %s %s %s\n", k, d.door, d.isa, d.values, d.problem);
  }
  return 0;
}

static int sweep(char **argv) {
  uint64_t seed = strtoull(argv[2], NULL, 10);
  long long first = atoll(argv[3]), count = atoll(argv[4]), end = draw_sweep_count();
  if (count > 0 && count < end - first) end = first + count;
  for (long long k = first; k < end; k++) {
    drawn d;
    draw_swept(seed, k, &d);
    printf("%lld %s %s %s %s\n", k, d.door, d.isa, d.values, d.problem);
  }
  return 0;
}

static int fill_one(const problem *p, long long k, uint64_t seed, const char *folder) {
  char path[4096];
  case_file f;
  snprintf(path, sizeof path, "%s/%lld.in", folder, k);
  int bad = oracle_fill(p, random_start(seed ^ 0x5bd1e995u, k), &f) || case_write(&f, path);
  case_free(&f);
  return bad;
}

static void check_one(const problem *p, long long k, const char *folder) {
  char path[4096], error[400];
  case_file before, after;
  long double worst;
  snprintf(path, sizeof path, "%s/%lld.after", folder, k);
  if (access(path, R_OK)) return;
  int bad = case_read(&after, path);
  snprintf(path, sizeof path, "%s/%lld.in", folder, k);
  bad |= case_read(&before, path);
  if (bad)
    printf("%lld wrong files that cannot be read\n", k);
  else if (oracle_check(p, &before, &after, &worst, error))
    printf("%lld wrong %s\n", k, error);
  else
    printf("%lld passed %.3Lf\n", k, worst);
  case_free(&before);
  case_free(&after);
}

/* On GPUs halves pass between threads as halves from so many points on. */
static bool may_be_narrow(const problem *p, const char *door) {
  static const char *const gpu[] = {"cuda", "hip", "metal", "sycl", "cl", "opencl", "kernel"};
  bool found = false;
  for (size_t i = 0; i < sizeof gpu / sizeof *gpu; i++) found |= !strcmp(door, gpu[i]);
  return found && (p->precision == F16 || p->precision == BF16) && problem_points(p) >= 512;
}

static int each(const char *list, uint64_t seed, const char *folder, int fills) {
  char line[2048], door[32], values[256], error[400];
  int text = 0;
  long long k;
  FILE *file = fopen(list, "r");
  if (!file) return 1;
  while (fgets(line, sizeof line, file)) {
    problem p;
    line[strcspn(line, "\n")] = 0;
    if (strstr(line, " | ")) *strstr(line, " | ") = 0; /* a plan */
    if (sscanf(line, "%lld %31s %*s %255s %n", &k, door, values, &text) < 3) return 1;
    if (problem_read(&p, line + text, values, error)) {
      fprintf(stderr, "%s: %s\n", line, error);
      return 1;
    }
    p.narrow = may_be_narrow(&p, door);
    if (!fills)
      check_one(&p, k, folder);
    else if (fill_one(&p, k, seed, folder))
      return 1;
  }
  fclose(file);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 7 && strcmp(argv[1], "draw") == 0) return draw(argv);
  if (argc == 5 && strcmp(argv[1], "sweep") == 0) return sweep(argv);
  if (argc == 5 && strcmp(argv[1], "fill") == 0) return each(argv[3], strtoull(argv[2], NULL, 10), argv[4], 1);
  if (argc == 4 && strcmp(argv[1], "check") == 0) return each(argv[2], 0, argv[3], 0);
  fputs("usage: campaign_oracle draw|sweep|fill|check ...\n", stderr);
  return 2;
}
