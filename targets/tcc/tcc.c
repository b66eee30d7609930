/* See targets/tcc.h. In: C text. Out: code in this process's memory.
 *
 * Nothing but the library is needed: the few standard headers that emitted code
 * includes are replaced by the declarations it uses (on the same line, so that
 * line numbers hold), and run-time support is this process's. */
#include "targets/tcc.h"
#include "targets/host.h"
#include "targets/number.h"
#include <dlfcn.h>
#include <float.h>
#include <libtcc.h>
#include <link.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fg_tcc_code {
  TCCState *state;
};

typedef struct messages {
  char first[FG_WHY_SIZE];
} messages;

/* libtcc keeps the state of the compilation at work in globals. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define TEXT_OF_IT(macro) #macro
#define TEXT_OF(macro) TEXT_OF_IT(macro)

static const struct header {
  const char *name, *text;
} headers[] = {
    {"stddef.h", "typedef unsigned long size_t; typedef long ptrdiff_t;"},
    {"stdint.h", "typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t;"
                 "typedef unsigned short uint16_t; typedef int int32_t; typedef unsigned uint32_t;"
                 "typedef long int64_t; typedef unsigned long uint64_t; typedef long intptr_t;"
                 "typedef unsigned long uintptr_t;"},
    {"stdbool.h", "enum { false, true }; typedef _Bool bool;"},
    {"float.h", "#define LDBL_MANT_DIG " TEXT_OF(LDBL_MANT_DIG)},
    {"math.h", "double cos(double); double sin(double); double sqrt(double); double fabs(double);"
               "float cosf(float); float sinf(float); float sqrtf(float); float fabsf(float);"
               "double log10(double); float log10f(float); double log(double); float logf(float);"
               "double exp(double); float expf(float); double fmin(double, double); float fminf(float, float);"
               "double fmax(double, double); float fmaxf(float, float);"
               "long double cosl(long double); long double sinl(long double);"},
    {"string.h", "void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);"
                 "void *memmove(void *, const void *, unsigned long);"},
};

/* Conversions between 64-bit integers and floating point that tcc's own support
 * library would bring. */
static double from_unsigned(unsigned long long x) { return (double)x; }
static float from_unsigned_f(unsigned long long x) { return (float)x; }
static unsigned long long to_unsigned(double x) { return (unsigned long long)x; }
static unsigned long long to_unsigned_f(float x) { return (unsigned long long)x; }
static long long to_signed(double x) { return (long long)x; }
static long long to_signed_f(float x) { return (long long)x; }

typedef void (*any_function)(void);
static const struct support {
  const char *name;
  any_function function;
} support[] = {
#define SUPPORT(symbol, f)                                                                                             \
  { #symbol, (any_function)f }
    SUPPORT(__floatundidf, from_unsigned),
    SUPPORT(__floatundisf, from_unsigned_f),
    SUPPORT(__fixunsdfdi, to_unsigned),
    SUPPORT(__fixunssfdi, to_unsigned_f),
    SUPPORT(__fixdfdi, to_signed),
    SUPPORT(__fixsfdi, to_signed_f),
    SUPPORT(memcpy, memcpy),
    SUPPORT(memset, memset),
    SUPPORT(memmove, memmove),
    SUPPORT(cos, cos),
    SUPPORT(sin, sin),
    SUPPORT(sqrt, sqrt),
    SUPPORT(fabs, fabs),
    SUPPORT(cosf, cosf),
    SUPPORT(sinf, sinf),
    SUPPORT(sqrtf, sqrtf),
    SUPPORT(fabsf, fabsf),
    SUPPORT(log10, log10),
    SUPPORT(log10f, log10f),
    SUPPORT(log, log),
    SUPPORT(logf, logf),
    SUPPORT(exp, exp),
    SUPPORT(expf, expf),
    SUPPORT(fmin, fmin),
    SUPPORT(fminf, fminf),
    SUPPORT(fmax, fmax),
    SUPPORT(fmaxf, fmaxf),
    SUPPORT(cosl, cosl),
    SUPPORT(sinl, sinl),
#undef SUPPORT
};

/* Length of a line "#include <name>" up to and with '>'; 0: it is none of ours. */
static size_t include_line(const char *line, const struct header **which) {
  const char *p = line + strspn(line, " \t");
  if (*p++ != '#') return 0;
  p += strspn(p, " \t");
  if (strncmp(p, "include", 7)) return 0;
  p += 7 + strspn(p + 7, " \t");
  if (*p++ != '<') return 0;
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    size_t n = strlen(headers[i].name);
    if (strncmp(p, headers[i].name, n) || p[n] != '>') continue;
    *which = &headers[i];
    return (size_t)(p + n + 1 - line);
  }
  return 0;
}

/* The source with its #include lines replaced; malloc'ed. */
static char *replace_headers(const char *source) {
  size_t room = strlen(source) + 1;
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) room += strlen(headers[i].text);
  char *out = malloc(room), *to = out;
  bool seen[sizeof headers / sizeof *headers] = {false};
  for (const char *line = source; out && *line;) {
    const struct header *h = NULL;
    size_t skip = include_line(line, &h);
    if (skip && !seen[h - headers]) {
      seen[h - headers] = true;
      to = stpcpy(to, h->text);
    }
    line += skip;
    size_t n = strcspn(line, "\n");
    if (line[n]) n++;
    memcpy(to, line, n);
    to += n, line += n;
  }
  if (out) *to = 0;
  return out;
}

static void keep_first(void *opaque, const char *message) {
  messages *m = opaque;
  if (strstr(message, "warning:") || *m->first) return;
  snprintf(m->first, sizeof m->first, "%s", message);
}

static void add_symbols(TCCState *s, const fg_tcc_symbol *symbols) {
  for (size_t i = 0; i < sizeof support / sizeof *support; i++) {
    void *address;
    memcpy(&address, &support[i].function, sizeof address);
    tcc_add_symbol(s, support[i].name, address);
  }
  for (; symbols && symbols->name; symbols++) tcc_add_symbol(s, symbols->name, symbols->address);
}

/* libtcc does not look whether its file could be written: the table of sections, which is written last, is. */
static bool is_whole(const char *path) {
  ElfW(Ehdr) head;
  FILE *f = fopen(path, "rb");
  bool ok = f && fread(&head, sizeof head, 1, f) == 1 && fseek(f, 0, SEEK_END) == 0;
  long size = ok ? ftell(f) : -1;
  if (f) fclose(f);
  return size > 0 && head.e_shoff + (size_t)head.e_shnum * head.e_shentsize <= (size_t)size;
}

/* The shared object says that it wants the libm that this process has: who loads it may have none. */
static bool add_libm(TCCState *s) {
  any_function function = (any_function)log10;
  void *address;
  Dl_info info;
  memcpy(&address, &function, sizeof address);
  return !dladdr(address, &info) || !strstr(info.dli_fname, "libm") || tcc_add_file(s, info.dli_fname) == 0;
}

/* In memory; or with a path as a shared object, whose symbols the loader finds. */
static bool translate(TCCState *s, const char *text, const fg_tcc_symbol *symbols, const char *path) {
  tcc_set_options(s, "-nostdlib"); /* its support library is not everywhere */
  tcc_set_output_type(s, path ? TCC_OUTPUT_DLL : TCC_OUTPUT_MEMORY);
  if (path && !add_libm(s)) return false;
  if (!path) add_symbols(s, symbols);
  if (tcc_compile_string(s, text)) return false;
  return path ? tcc_output_file(s, path) == 0 && is_whole(path) : tcc_relocate(s, TCC_RELOCATE_AUTO) == 0;
}

static TCCState *compile(const char *source, const fg_tcc_symbol *symbols, const char *path, char why[FG_WHY_SIZE]) {
  char *text = replace_headers(source);
  messages m = {.first = ""};
  pthread_mutex_lock(&lock);
  TCCState *s = text ? tcc_new() : NULL;
  if (s) tcc_set_error_func(s, &m, keep_first);
  locale_t before = fg_number_enter(); /* tcc reads literals by strtod */
  bool ok = s && translate(s, text, symbols, path);
  fg_number_leave(before);
  if (s && !ok) tcc_delete(s);
  pthread_mutex_unlock(&lock);
  free(text);
  if (ok) return s;
  if (*m.first)
    fg_host_first_error(m.first, why, "tcc");
  else
    snprintf(why, FG_WHY_SIZE, "tcc: %s",
             s ? path ? "its file cannot be written" : "failed without a message" : "out of memory");
  return NULL;
}

int fg_tcc_compile(const char *source, const fg_tcc_symbol *symbols, fg_tcc_code **out, char why[FG_WHY_SIZE]) {
  fg_tcc_code *code = calloc(1, sizeof *code);
  if (!code) return snprintf(why, FG_WHY_SIZE, "tcc: out of memory"), 1;
  code->state = compile(source, symbols, NULL, why);
  if (code->state) return *out = code, 0;
  free(code);
  return 1;
}

int fg_tcc_write(const char *source, const char *path, char why[FG_WHY_SIZE]) {
  fg_tcc_code *code = calloc(1, sizeof *code);
  if (!code) return snprintf(why, FG_WHY_SIZE, "tcc: out of memory"), 1;
  code->state = compile(source, NULL, path, why);
  if (code->state) return fg_tcc_free(code), 0;
  free(code);
  return 1;
}

void *fg_tcc_find(fg_tcc_code *code, const char *name) { return tcc_get_symbol(code->state, name); }

void fg_tcc_free(fg_tcc_code *code) {
  if (!code) return;
  pthread_mutex_lock(&lock);
  tcc_delete(code->state);
  pthread_mutex_unlock(&lock);
  free(code);
}
