/* See compile.h. clang: a process, its linker is lld; the oldest that knows all
 * architectures of the table is taken, or a later one. */
#include "targets/hip/compile.h"
#include "targets/cc/process.h"
#include "targets/folder.h"
#include "targets/hip/hiprtc.h"
#include "targets/host.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUILD_SECONDS = 120, ASK_SECONDS = 20, OLDEST_CLANG = 19, PATH_SIZE = 1024 };

/* ---- clang ------------------------------------------------------------------- */

static int clang_version(const char *command, char *text, size_t size) {
  char *argv[] = {(char *)(uintptr_t)command, (char[]){"--version"}, NULL};
  int status = fg_process_run(&(fg_process){.argv = argv, .seconds = ASK_SECONDS, .text = text, .size = size});
  const char *at = status ? NULL : strstr(text, "clang version ");
  text[strcspn(text, "\n")] = 0;
  return at ? atoi(at + strlen("clang version ")) : 0;
}

static bool lld_here(const char *command) {
  char text[256], *argv[] = {(char *)(uintptr_t)command, (char[]){"--version"}, NULL};
  return fg_process_run(&(fg_process){.argv = argv, .seconds = ASK_SECONDS, .text = text, .size = sizeof text}) == 0;
}

/* Names by Debian's custom and by everybody else's; each with its linker. */
static const char *find_clang(char *version, size_t size, char why[FG_WHY_SIZE]) {
  static const char *const names[][2] = {{"clang-19", "ld.lld-19"},
                                         {"clang-20", "ld.lld-20"},
                                         {"clang-21", "ld.lld-21"},
                                         {"clang", "ld.lld"},
                                         {"amdclang", "ld.lld"}};
  snprintf(why, FG_WHY_SIZE, "no clang %d or later in PATH", OLDEST_CLANG);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (clang_version(names[i][0], version, size) < OLDEST_CLANG) continue;
    if (lld_here(names[i][1])) return names[i][0];
    snprintf(why, FG_WHY_SIZE, "%s has no linker: no %s in PATH", names[i][0], names[i][1]);
  }
  return NULL;
}

static int write_text(const char *path, const char *text, char why[FG_WHY_SIZE]) {
  FILE *f = fopen(path, "w");
  bool ok = f && fputs(text, f) >= 0;
  if (f && fclose(f)) ok = false;
  return ok ? 0 : (snprintf(why, FG_WHY_SIZE, "cannot write %.400s", path), 1);
}

static int read_bytes(const char *path, fg_hip_code *out, char why[FG_WHY_SIZE]) {
  FILE *f = fopen(path, "rb");
  long size = f && !fseek(f, 0, SEEK_END) ? ftell(f) : -1;
  if (size > 0) rewind(f);
  out->bytes = size > 0 ? malloc((size_t)size) : NULL;
  out->size = out->bytes ? fread(out->bytes, 1, (size_t)size, f) : 0;
  if (f) fclose(f);
  if (out->size && out->size == (size_t)size) return 0;
  fg_hip_code_free(out);
  return snprintf(why, FG_WHY_SIZE, "cannot read %.400s", path), 1;
}

static int run_clang(const char *command, const char *arch, const char *source, const char *object,
                     char why[FG_WHY_SIZE]) {
  char target[64], text[16384];
  snprintf(target, sizeof target, "--offload-arch=%.32s", arch);
  const char *const argv[] = {command,
                              "-x",
                              "hip",
                              "--cuda-device-only",
                              target,
                              "-O3",
                              "-nogpulib",
                              "-nogpuinc",
                              "--no-gpu-bundle-output",
                              "-w",
                              "-ffp-contract=fast",
                              "-DFFTGEN_NO_HEADERS",
                              source,
                              "-o",
                              object,
                              NULL};
  int status = fg_process_run(&(fg_process){
      .argv = (char *const *)(uintptr_t)argv, .seconds = BUILD_SECONDS, .text = text, .size = sizeof text});
  if (status == 0) return 0;
  if (status == FG_PROCESS_TIMEOUT)
    snprintf(why, FG_WHY_SIZE, "%s took more than %d s and was stopped", command, BUILD_SECONDS);
  else
    fg_host_first_error(text, why, command);
  return 1;
}

static int by_clang(const char *source, const char *arch, fg_hip_code *out, char why[FG_WHY_SIZE]) {
  char version[256], folder[PATH_SIZE], text[PATH_SIZE + 16], object[PATH_SIZE + 16];
  const char *command = find_clang(version, sizeof version, why);
  if (!command) return 1;
  if (!fg_folder_make(folder, sizeof folder))
    return snprintf(why, FG_WHY_SIZE, "cannot make a directory in %.300s", fg_folder_root()), 1;
  snprintf(text, sizeof text, "%s/kernel.hip", folder);
  snprintf(object, sizeof object, "%s/kernel.co", folder);
  int bad =
      write_text(text, source, why) || run_clang(command, arch, text, object, why) || read_bytes(object, out, why);
  unlink(text);
  unlink(object);
  rmdir(folder);
  return bad;
}

/* ---- either -------------------------------------------------------------------- */

int fg_hip_compiler_here(fg_hip_compiler which, char *version, size_t size, char why[FG_WHY_SIZE]) {
  if (which != FG_HIP_CLANG && !fg_hiprtc_here(version, size, why)) return 0;
  return which == FG_HIP_HIPRTC || !find_clang(version, size, why);
}

static int check_arch(const char *arch, char why[FG_WHY_SIZE]) {
  if (fg_hip_arch_find(arch)) return 0;
  int used = snprintf(why, FG_WHY_SIZE, "architecture %.40s: unknown; allowed:", arch);
  for (const fg_hip_arch *a = fg_hip_arch_table(); a->name; a++)
    used += snprintf(why + used, (size_t)(FG_WHY_SIZE - used), " %s", a->name);
  return 1;
}

int fg_hip_compile(fg_hip_compiler which, const char *source, const char *arch, fg_hip_code *out,
                   char why[FG_WHY_SIZE]) {
  char first[FG_WHY_SIZE] = "";
  *out = (fg_hip_code){0};
  if (check_arch(arch, why)) return 1;
  int bad = which == FG_HIP_CLANG || fg_hiprtc_compile(source, arch, out, first);
  if (bad && which == FG_HIP_HIPRTC) return snprintf(why, FG_WHY_SIZE, "%s", first), 1;
  if (bad && by_clang(source, arch, out, why)) {
    char second[FG_WHY_SIZE];
    snprintf(second, sizeof second, "%s", why);
    if (*first) snprintf(why, FG_WHY_SIZE, "%.240s; %.240s", first, second);
    return 1;
  }
  if (fg_hip_code_read(out, why) == 0) return 0;
  fg_hip_code_free(out);
  return 1;
}
