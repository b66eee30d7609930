/* See case_file.h. */
#define _DEFAULT_SOURCE
#include "case_file.h"
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 60, WALL_SECONDS = 600 };

void case_limit(void) {
  struct rlimit limit = {SECONDS, SECONDS + 1};
  setrlimit(RLIMIT_CPU, &limit);
  alarm(WALL_SECONDS);
}

bool case_hung(int status) {
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU);
}

static size_t pages(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) / page * page;
}

void *guarded(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = pages(bytes);
  char *memory = mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + whole, page, PROT_NONE)) return NULL;
  return memory + whole - bytes;
}

void case_free(case_file *f) {
  for (int i = 0; i < f->array_count; i++) {
    size_t bytes = (size_t)f->arrays[i].amount, page = (size_t)sysconf(_SC_PAGESIZE);
    if (f->arrays[i].content) munmap((char *)f->arrays[i].content + bytes - pages(bytes), pages(bytes) + page);
  }
  *f = (case_file){0};
}

int case_read(case_file *f, const char *path) {
  FILE *file = fopen(path, "rb");
  int bad = !file || fread(f, sizeof *f, 1, file) != 1;
  for (int i = 0; !bad && i < f->array_count; i++) {
    named *a = &f->arrays[i];
    a->content = guarded((size_t)a->amount);
    bad = !a->content || fread(a->content, 1, (size_t)a->amount, file) != (size_t)a->amount;
  }
  if (file) fclose(file);
  return bad ? -1 : 0;
}

int case_write(const case_file *f, const char *path) {
  FILE *file = fopen(path, "wb");
  int bad = !file || fwrite(f, sizeof *f, 1, file) != 1;
  for (int i = 0; !bad && i < f->array_count; i++) {
    bad = fwrite(f->arrays[i].content, 1, (size_t)f->arrays[i].amount, file) != (size_t)f->arrays[i].amount;
  }
  if (file && fclose(file)) bad = 1;
  return bad ? -1 : 0;
}

void *case_array(const case_file *f, const char *name) {
  for (int i = 0; i < f->array_count; i++) {
    if (strcmp(f->arrays[i].name, name) == 0) return f->arrays[i].content;
  }
  return NULL;
}

long long case_parameter(const case_file *f, const char *name) {
  for (int i = 0; i < f->parameter_count; i++) {
    if (strcmp(f->parameters[i].name, name) == 0) return f->parameters[i].amount;
  }
  return 0;
}

bool case_is_operand(const char *name) {
  size_t length = strlen(name);
  bool expression = length > 2 && strcmp(name + length - 2, "_c") == 0;
  return expression || strcmp(name, "spectrum") == 0 || isdigit((unsigned char)name[length - 1]);
}
