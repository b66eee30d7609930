/* fftgen run-with: a program of FFTW's on fftgen's libfftw3. In: a program and its arguments. Out: that program, in the
 * place of this one, with LD_PRELOAD set: our libraries first, then FFTW's own by their paths, so that plans of its own
 * (of MPI, for example) find their functions. */
#include "generator/base/strbuf.h"
#include "generator/cli/parse.h"
#include "targets/env.h"
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static error_t parse(int key, char *arg, struct argp_state *state) {
  (void)arg;
  if (key == ARGP_KEY_ERROR) fg_cli_blame_option(state);
  return key == ARGP_KEY_INIT || key == ARGP_KEY_ERROR ? 0 : ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
    .parser = parse,
    .args_doc = "PROGRAM [ARGUMENT...]",
    .doc = "Run PROGRAM, which was linked to FFTW 3 in double or single precision, on fftgen's libfftw3."
           "\vLD_PRELOAD is set and the program takes this one's place. FFTW's own libraries come behind, for plans of "
           "MPI and for whatever ours lack; long double is theirs. FFTGEN_FFTW_VERBOSE=1 says why there is no plan, "
           "FFTGEN_FFTW_UPGRADE=1 lets plans by FFTW_ESTIMATE get faster while the program runs.\n\n"
           "Examples:\n"
           "  fftgen run-with sndfile-spectrogram a.wav 400 300 a.png\n"
           "  fftgen run-with python3 analyse.py\n",
};

/* Beside this program, where the build or the installation has it; NULL: this program has no path. */
static const char *folder(fg_arena *a) {
  char self[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return NULL;
  self[length] = 0;
  *strrchr(self, '/') = 0;
  const char *installed = fg_arena_printf(a, "%s/" FG_FFTW_FOLDER, self);
  return access(installed, R_OK) == 0 ? realpath(installed, NULL) : fg_arena_printf(a, "%s/fftw", self);
}

static const char *const names[] = {"libfftw3.so.3",  "libfftw3_threads.so.3",  "libfftw3_omp.so.3",
                                    "libfftw3f.so.3", "libfftw3f_threads.so.3", "libfftw3f_omp.so.3"};

static void add_path(fg_strbuf *list, const char *path) { fg_strbuf_addf(list, "%s%s", *list->text ? ":" : "", path); }

static fg_status add_ours(fg_context *cx, fg_strbuf *list, const char *in) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *path = fg_arena_printf(cx->arena, "%s/%s", in, names[i]);
    if (access(path, R_OK))
      return fg_diag_set(&cx->diag, FG_ESYS,
                         "run-with: %s: %s; fftgen's libfftw3 is built and installed with fftgen on Linux", path,
                         strerror(errno));
    if (strpbrk(path, " :"))
      return fg_diag_set(&cx->diag, FG_ESYS, "run-with: '%s' has a blank or a colon, which LD_PRELOAD cannot name",
                         path);
    add_path(list, path);
  }
  return FG_OK;
}

/* Where the loader has it; not, where that is ours. */
static void add_theirs(fg_strbuf *list, const char *name, const char *ours) {
  struct link_map *map = NULL;
  char real[PATH_MAX], own[PATH_MAX];
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (library && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0] == '/' && !strpbrk(map->l_name, " :") &&
      realpath(map->l_name, real) && realpath(ours, own) && strcmp(real, own))
    add_path(list, map->l_name);
}

static fg_status preload(fg_context *cx) {
  const char *in = folder(cx->arena), *before = fg_env("LD_PRELOAD");
  if (!in) return fg_diag_set(&cx->diag, FG_ESYS, "run-with: /proc/self/exe: %s", strerror(errno));
  fg_strbuf list = fg_strbuf_new(cx->arena);
  *list.text = 0;
  fg_status status = add_ours(cx, &list, in);
  if (status != FG_OK) return status;
  for (size_t i = 0; i < sizeof names / sizeof *names; i += 3)
    add_theirs(&list, names[i], fg_arena_printf(cx->arena, "%s/%s", in, names[i]));
  if (before && *before) add_path(&list, before);
  if (setenv("LD_PRELOAD", list.text, 1)) return FG_ENOMEM;
  return FG_OK;
}

static fg_status run(fg_context *cx, int argc, char **argv) {
  int options = 1;
  while (options < argc && argv[options][0] == '-' && strcmp(argv[options], "--")) options++;
  int program = options + (options < argc && !strcmp(argv[options], "--"));
  fg_status status = fg_cli_parse(cx, &argp, options, argv, NULL);
  if (status != FG_OK) return status;
  if (program >= argc) return fg_refuse(cx, "run-with: no PROGRAM given; fftgen run-with --help says more");
  if ((status = preload(cx)) != FG_OK) return status;
  signal(SIGPIPE, SIG_DFL); /* which this program ignores, and the other one would */
  signal(SIGXFSZ, SIG_DFL);
  execvp(argv[program], argv + program);
  return fg_refuse(cx, "run-with: %s: %s", argv[program], strerror(errno));
}

const fg_command fg_cli_run_with = {"run-with", "run a program of FFTW's on fftgen's libfftw3", &argp, run, NULL, true};
