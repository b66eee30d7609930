/* In: problems, a target that launches kernels, architectures. Out: a package (runtime/store/package.h) for each
 * problem and architecture, and its line of the index.
 *
 * If the target's compiler is not on this machine, or no code is wanted, sources are packed instead, which a compiler
 * or a driver compiles where they run. */
#include "generator/base/files.h"
#include "generator/cli/advice.h"
#include "generator/cli/pack.h"
#include "runtime/store/hash.h"
#include "runtime/store/line.h"
#include "runtime/store/wisdom.h"
#include "tuning/search/packing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARCHS = 16 };

typedef struct job {
  const fg_cli_pack_order *o;
  const fg_dialect *dialect;
  const fg_device *device; /* that compiles; NULL: sources alone */
  int problem;
  const char *arch;          /* "": a source */
  const fg_machine *machine; /* that is planned for; NULL: the target's usual one, or the one that is here */
  fg_strbuf *index;
} job;

typedef struct made { /* one file of a pack */
  fg_package package;
  const char *features; /* that a device must have; "": none */
} made;

static fg_status write_package(fg_context *cx, const job *j, const made *m) {
  const fg_package *p = &m->package;
  char sum[FG_HASH_TEXT];
  fg_strbuf text = fg_strbuf_new(cx->arena);
  fg_status status = fg_packing_write(cx, p, &text);
  if (status != FG_OK) return status;
  fg_hash_text(fg_hash_add(fg_hash_begin(), text.text, text.length), sum);
  fg_file file = {fg_arena_printf(cx->arena, "%s.fgk", sum), text.text, text.length};
  status = fg_files_write(cx, j->o->folder, &file, 1);
  if (status != FG_OK) return status;
  fg_strbuf_addf(j->index, "{\"fftgen\":1,\"target\":\"%s\",\"problem\":%s,\"plan\":%s,\"features\":%s,",
                 j->dialect->name, fg_line_quote(cx->arena, p->problem), fg_line_quote(cx->arena, p->plan),
                 fg_line_quote(cx->arena, m->features));
  fg_strbuf_addf(j->index, "\"file\":\"%s\",\"sum\":\"%s\"}\n", file.name, sum);
  printf("%s  %s  %s %s  %zu bytes\n", p->problem, p->plan, p->code[0].form, p->code[0].fits, text.length);
  return FG_OK;
}

/* Machine code before the source. Code for a named architecture is packed alone; what was made for the device that is
 * here by chance leaves the source to all others. */
static fg_status add_code(fg_context *cx, const job *j, made *m) {
  fg_code code;
  char why[FG_WHY_SIZE];
  fg_package *p = &m->package;
  if (j->device->compile(p->code[0].bytes, j->arch, &code, why))
    return fg_diag_set(&cx->diag, FG_ESYS, "\"%s\" for %s: %s", p->problem, j->arch, why);
  bool named = !strcmp(code.fits, j->arch);
  p->code[1] = p->code[0];
  p->ncode = named ? 1 : 2;
  p->code[0] = (fg_package_code){code.form, fg_arena_strdup(cx->arena, code.fits), NULL, code.size};
  p->code[0].bytes = fg_arena_copy(cx->arena, code.bytes, code.size);
  m->features = named ? j->arch : "";
  free(code.bytes);
  return FG_OK;
}

/* The first one that runs this language's kernels; NULL: none does. */
static const fg_device *device_of(const fg_dialect *dialect) {
  const fg_device *const *d = fg_device_table();
  while (*d && strcmp((*d)->dialect, dialect->name)) d++;
  return *d;
}

static fg_status pack_one(fg_context *cx, void *data) {
  const job *j = data;
  fg_compilation c;
  made m = {.features = ""};
  fg_device_facts facts;
  char why[FG_WHY_SIZE];
  fg_request request = fg_cli_request(j->o->choice, j->problem);
  request.target = j->dialect->name;
  request.machine = j->machine;
  request.assembly = true;
  const fg_device *here = j->device ? j->device : device_of(j->dialect);
  if (!strcmp(j->arch, "native") && here && !fg_cli_probe(here, &facts, why)) request.facts = &facts;
  fg_choice choice = *j->o->choice;
  choice.machine = j->machine;
  fg_cli_advisor advisor = {
      .choice = &choice, .facts = request.facts, .target = j->dialect->name, .any_device = !*j->arch};
  fg_status status = fg_cli_advise_request(cx, &advisor, j->problem, &request);
  if (status == FG_OK) status = fg_pipeline_compile(cx, &request, &c);
  if (status == FG_OK) status = fg_packing_create(&c, NULL, &m.package);
  if (j->machine) m.features = j->arch; /* which its source is written for, too */
  if (status == FG_OK && j->device && *j->arch) status = add_code(cx, j, &m);
  return status == FG_OK ? write_package(cx, j, &m) : status;
}

/* Code for a machine that is in the table is planned for it: "sm_90", or "h200", which takes the code of sm_90. */
static void set_arch(job *j, const char *arch) {
  const fg_machine *m = fg_machine_find(arch);
  j->machine = m && m->code && fg_dialect_takes(j->dialect, m) ? m : NULL;
  j->arch = j->machine ? j->machine->code : arch;
}

/* Machine code may be for architectures that have no row; a source alone is for a machine that is known. */
static fg_status check_arch(fg_context *cx, const job *j, const char *arch) {
  if (!*arch || !j->o->no_code || j->machine || !strcmp(arch, "native")) return FG_OK;
  return fg_refuse(cx, "--arch '%s': native, or a machine that target %s is for (fftgen help machines)", arch,
                   j->dialect->name);
}

static fg_status pack_archs(fg_context *cx, job *j, const char *const *arch, int count) {
  for (j->problem = 0; j->problem < j->o->choice->nproblem; j->problem++)
    for (int i = 0; i < count; i++) {
      set_arch(j, arch[i]);
      fg_status status = check_arch(cx, j, arch[i]);
      if (status == FG_OK) status = fg_cli_in_own_arena(cx, pack_one, j);
      if (status != FG_OK) return status;
    }
  return FG_OK;
}

/* NULL: nothing compiles for it here, and a warning has said why. */
static const fg_device *find_compiler(const fg_dialect *dialect) {
  char why[FG_WHY_SIZE] = "no device of it is known", version[64];
  for (const fg_device *const *d = fg_device_table(); *d; d++) {
    if (strcmp((*d)->dialect, dialect->name) || !(*d)->compile) continue;
    if (!(*d)->compiler || !(*d)->compiler(version, sizeof version, why)) return *d;
  }
  fprintf(stderr, "fftgen: warning: sources are packed in place of machine code: %s\n", why);
  return NULL;
}

fg_status fg_cli_pack_for_device(fg_context *cx, const fg_cli_pack_order *o, fg_strbuf *index) {
  job j = {.o = o, .dialect = fg_dialect_find(o->choice->target), .index = index};
  const char *list[MOST_ARCHS] = {""};
  int count = 0;
  if (!j.dialect || !j.dialect->block_id)
    return fg_refuse(cx, "--target '%s': c, or a target whose kernels are launched (fftgen devices)",
                     o->choice->target);
  if (!fg_cli_has_device(j.dialect->name))
    return fg_refuse(cx, "--target '%s': packs are for libfftgen, which has no backend for it; allowed: emit",
                     j.dialect->name);
  char *archs = fg_arena_strdup(cx->arena, o->arch ? o->arch : ""), *save = NULL;
  if (*archs && !o->no_code) j.device = find_compiler(j.dialect);
  for (char *a = strtok_r(archs, ",", &save); a && (j.device || o->no_code); a = strtok_r(NULL, ",", &save)) {
    if (count == MOST_ARCHS) return fg_refuse(cx, "--arch: at most %d", MOST_ARCHS);
    list[count++] = a;
  }
  return pack_archs(cx, &j, list, count ? count : 1);
}
