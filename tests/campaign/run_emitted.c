/* Calls emitted functions, each in a process of its own, at most 60 s of processor time. It is compiled with them and
 * with a table of adapters, `emitted_cases`, that campaign.sh makes from their headers. usage: run_emitted FOLDER reads
 * FOLDER/K.in, writes FOLDER/K.after; K.died where a signal ended it */
#define _DEFAULT_SOURCE
#include "run_emitted.h"
#include "case_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static case_file now;

void *emitted_array(const char *name) {
  void *content = case_array(&now, name);
  if (!content) fprintf(stderr, "no array %s\n", name), _exit(3);
  return content;
}

ptrdiff_t emitted_parameter(const char *name) { return (ptrdiff_t)case_parameter(&now, name); }

void *emitted_memory(size_t bytes) {
  char *memory = guarded((bytes + 63) / 64 * 64);
  if (memory) memset(memory, 0xff, bytes); /* no number */
  return memory;
}

static int call(const char *folder, const emitted_case *c) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%d.in", folder, c->number);
  if (case_read(&now, path)) return 4;
  c->call();
  snprintf(path, sizeof path, "%s/%d.after", folder, c->number);
  return case_write(&now, path) ? 5 : 0;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  for (const emitted_case *c = emitted_cases; c->call; c++) {
    pid_t child = fork();
    if (child == 0) case_limit(), _exit(call(argv[1], c));
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    if (status == 0) continue;
    char path[4096];
    snprintf(path, sizeof path, "%s/%d.died", argv[1], c->number);
    FILE *file = fopen(path, "w");
    if (!file) return 1;
    if (case_hung(status))
      fprintf(file, "hung\n");
    else if (WIFSIGNALED(status))
      fprintf(file, "crashed by signal %d\n", WTERMSIG(status));
    else
      fprintf(file, "crashed: exit %d of its caller\n", WEXITSTATUS(status));
    fclose(file);
  }
  return 0;
}
