/* A bundle by the command line. In: problems, instruction sets, limits. Out: the
 * two files in a folder; sizes by a compiler where one is named. */
#include "generator/bundle/bundle.h"
#include "generator/base/files.h"
#include "generator/base/strbuf.h"
#include "generator/cli/advice.h"
#include "generator/cli/bundle.h"
#include "generator/cli/table.h"
#include "targets/cc/process.h"
#include "targets/folder.h"
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- sizes of an object file ------------------------------------------------------ */

typedef struct section {
  uint32_t type;
  uint64_t flags, bytes;
} section;

/* Sections in memory; the unwinding tables of hosted systems are no part of what
 * a small machine keeps, but they are counted: they are in the file's read-only
 * memory. False: no object file of a known kind. */
static bool count_sections(const char *data, size_t bytes, fg_bundle_size *out) {
  bool wide = bytes > EI_NIDENT && data[EI_CLASS] == ELFCLASS64;
  if (bytes < sizeof(Elf64_Ehdr) || memcmp(data, ELFMAG, SELFMAG) != 0 || data[EI_DATA] != ELFDATA2LSB) return false;
  Elf64_Ehdr big;
  Elf32_Ehdr small;
  memcpy(&big, data, sizeof big);
  memcpy(&small, data, sizeof small);
  uint64_t at = wide ? big.e_shoff : small.e_shoff;
  size_t each = wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), count = wide ? big.e_shnum : small.e_shnum;
  if (at > bytes || count > (bytes - at) / each) return false;
  for (size_t i = 0; i < count; i++) {
    Elf64_Shdr s64;
    Elf32_Shdr s32;
    if (wide)
      memcpy(&s64, data + at + i * each, sizeof s64);
    else
      memcpy(&s32, data + at + i * each, sizeof s32);
    section s =
        wide ? (section){s64.sh_type, s64.sh_flags, s64.sh_size} : (section){s32.sh_type, s32.sh_flags, s32.sh_size};
    if (!(s.flags & SHF_ALLOC)) continue;
    if (s.type == SHT_NOBITS)
      out->bss += (int64_t)s.bytes;
    else if (s.flags & SHF_WRITE)
      out->data += (int64_t)s.bytes;
    else
      out->flash += (int64_t)s.bytes;
  }
  return true;
}

enum { WORDS = 32, SECONDS = 120 };

/* Words of a command, without a shell. */
static int split(fg_context *cx, const char *command, char **word) {
  int n = 0;
  for (char *at = fg_arena_strdup(cx->arena, command); *(at += strspn(at, " "));) {
    if (n == WORDS) return -1;
    word[n++] = at;
    at += strcspn(at, " ");
    if (*at) *at++ = 0;
  }
  return n;
}

/* "arm-none-eabi-gcc (15:12.2.rel1-1) 12.2.1": the first line of --version. */
static const char *version_of(fg_context *cx, char *compiler) {
  char text[512];
  char version[] = "--version", *argv[] = {compiler, version, NULL};
  if (fg_process_run(&(fg_process){.argv = argv, .seconds = SECONDS, .text = text, .size = sizeof text}) != 0)
    return "";
  text[strcspn(text, "\n")] = 0;
  return fg_arena_printf(cx->arena, " (%s)", text);
}

enum { MESSAGE = 2048 };

static int compile(const char *folder, char **argv, char text[MESSAGE]) {
  return fg_process_run(&(fg_process){.argv = argv, .temp = folder, .seconds = SECONDS, .text = text, .size = MESSAGE});
}

static const char *usage_file(fg_context *cx, const char *folder, const fg_file *source) {
  int stem = (int)strcspn(source->name, ".");
  return fg_arena_printf(cx->arena, "%s/%.*s.su", folder, stem, source->name);
}

static fg_status compile_in(fg_context *cx, const char *folder, const char *command, const fg_file *source,
                            fg_bundle_size *out) {
  char *argv[WORDS + 6], text[MESSAGE] = "", dash_c[] = "-c", dash_o[] = "-o", usage[] = "-fstack-usage", *data;
  int n = split(cx, command, argv);
  if (n <= 0) return fg_refuse(cx, "emit: --measure '%s': a compiler and up to 31 flags", command);
  char *object = fg_arena_printf(cx->arena, "%s/%.*s.o", folder, (int)strcspn(source->name, "."), source->name);
  argv[n] = dash_c;
  argv[n + 1] = fg_arena_printf(cx->arena, "%s/%s", folder, source->name);
  argv[n + 2] = dash_o;
  argv[n + 3] = object;
  argv[n + 4] = usage;
  argv[n + 5] = NULL;
  size_t bytes;
  fg_status status = fg_files_write(cx, folder, source, 1);
  if (status != FG_OK) return status;
  int code = compile(folder, argv, text);
  if (code > 0) { /* not every compiler reports the stack sizes of functions */
    argv[n + 4] = NULL;
    code = compile(folder, argv, text);
  }
  if (code != 0) {
    text[strcspn(text, "\n")] = 0;
    return fg_refuse(cx, "emit: --measure '%s': %s", command,
                     *text                            ? text
                     : code == FG_PROCESS_NOT_STARTED ? "there is no such compiler"
                                                      : "it failed");
  }
  if ((status = fg_files_read(cx, object, &data, &bytes)) != FG_OK) return status;
  if (!count_sections(data, bytes, out))
    return fg_refuse(cx, "emit: --measure '%s': what it makes is no ELF object", command);
  const char *stack = argv[n + 4] ? usage_file(cx, folder, source) : NULL;
  if (stack && !access(stack, R_OK)) {
    if ((status = fg_files_read(cx, stack, &data, &bytes)) != FG_OK) return status;
    out->stack = data;
  }
  out->how = fg_arena_printf(cx->arena, "%s%s", command, version_of(cx, argv[0]));
  return FG_OK;
}

static fg_status measure(fg_context *cx, void *data, const fg_file *source, fg_bundle_size *out) {
  const fg_cli_bundle *o = data;
  char folder[1024];
  if (!fg_folder_make(folder, sizeof folder))
    return fg_diag_set(&cx->diag, FG_ESYS, "emit: %s: no folder can be made", fg_folder_root());
  fg_bundle_size size = {0};
  fg_status status = compile_in(cx, folder, o->measure, source, &size);
  unlink(fg_arena_printf(cx->arena, "%s/%s", folder, source->name));
  unlink(fg_arena_printf(cx->arena, "%s/%.*s.o", folder, (int)strcspn(source->name, "."), source->name));
  unlink(usage_file(cx, folder, source));
  rmdir(folder);
  if (status == FG_OK) *out = size;
  return status;
}

/* ---- the order -------------------------------------------------------------------- */

static bool is_listed(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = list; *at;) {
    size_t n = strcspn(at, ",");
    if (n == length && !memcmp(at, name, n)) return true;
    at += n + (at[n] == ',');
  }
  return false;
}

static fg_status check_list(fg_context *cx, const char *list) {
  for (const char *at = list; *at;) {
    size_t n = strcspn(at, ",");
    const char *name = fg_arena_printf(cx->arena, "%.*s", (int)n, at);
    const fg_isa *isa = fg_isa_find(name);
    if (!isa) return fg_refuse(cx, "emit: --isa '%s': names such as scalar,avx2,avx512 (fftgen devices)", list);
    at += n + (at[n] == ',');
  }
  return FG_OK;
}

/* Without --isa: the widest of the machine that is named, or the usual ones. */
static const char *usual_isas(const fg_cli_bundle *o) {
  const fg_machine *m = o->choice->machine;
  if (o->embedded) return "scalar";
  return m ? m->isa : "scalar,avx2,avx512";
}

/* A bundle is C, for a machine that C is planned for. */
static fg_status check_machine(fg_context *cx, const fg_machine *m) {
  char list[FG_DIALECT_LIST];
  if (m && !fg_machine_takes(m, "c"))
    return fg_refuse(cx, "emit: --arch '%s': bundles are C, and it takes %s", m->name, fg_dialect_list(m, list));
  return FG_OK;
}

fg_status fg_cli_bundle_isas(fg_context *cx, const fg_cli_bundle *o, fg_bundle_request *r) {
  const char *list = o->choice->isa ? o->choice->isa : usual_isas(o);
  fg_status status = o->choice->isa || o->embedded ? FG_OK : check_machine(cx, o->choice->machine);
  if (status == FG_OK) status = check_list(cx, list);
  if (status != FG_OK) return status;
  if (o->embedded && strcmp(list, "scalar") != 0) return fg_refuse(cx, "emit: --isa '%s': --embedded is scalar", list);
  for (const fg_isa *i = fg_isa_table(); i->name && r->nisa < FG_BUNDLE_ISAS; i++)
    if (!i->vector_bytes || is_listed(list, i->name)) r->isa[r->nisa++] = i;
  return FG_OK;
}

static const char *command_text(fg_context *cx, const fg_cli_bundle *o, const fg_bundle_request *r) {
  fg_strbuf s = fg_strbuf_new(cx->arena);
  fg_strbuf_addf(&s, "fftgen emit --bundle %s", o->name);
  if (o->embedded) fg_strbuf_add(&s, " --embedded");
  if (o->work) fg_strbuf_add(&s, " --work");
  for (int i = 0; i < r->nisa && !o->embedded; i++) fg_strbuf_addf(&s, "%s%s", i ? "," : " --isa ", r->isa[i]->name);
  if (o->choice->machine) fg_strbuf_addf(&s, " --arch %s", o->choice->machine->name);
  if (o->most_code) fg_strbuf_addf(&s, " --max-code %lld", (long long)o->most_code);
  if (o->measure) fg_strbuf_addf(&s, " --measure '%s'", o->measure);
  for (int i = 0; i < r->nproblem; i++) {
    fg_problem p;
    fg_context own = {.arena = cx->arena};
    bool good = fg_problem_parse(&own, r->problem[i], &p) == FG_OK;
    if (r->function[i]) fg_strbuf_addf(&s, " %s=", r->function[i]);
    fg_strbuf_addf(&s, "%s\"%s\"", r->function[i] ? "" : " ", good ? fg_problem_print(cx, &p) : r->problem[i]);
  }
  return s.text;
}

static fg_status report(fg_context *cx, const fg_cli_bundle *o, const fg_bundle *made) {
  size_t length = strlen(o->folder);
  const char *slash = length && o->folder[length - 1] == '/' ? "" : "/";
  if (!o->choice->json) {
    for (int i = 0; i < 2; i++) printf("%s%s%s\n", o->folder, slash, made->file[i].name);
    return FG_OK;
  }
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "name", o->name);
  cJSON_AddNumberToObject(json, "isas", made->nlevel);
  cJSON_AddNumberToObject(json, "flash_bytes", (double)made->size.flash);
  cJSON_AddNumberToObject(json, "table_bytes", (double)made->table_bytes);
  cJSON_AddNumberToObject(json, "static_ram_bytes", (double)(made->size.data + made->size.bss));
  cJSON_AddBoolToObject(json, "measured", made->size.how != NULL);
  cJSON *files = cJSON_AddArrayToObject(json, "files");
  for (int i = 0; i < 2; i++)
    cJSON_AddItemToArray(
        files, cJSON_CreateString(fg_arena_printf(cx->arena, "%s%s%s", o->folder, slash, made->file[i].name)));
  return fg_cli_print_json(cx, json);
}

/* A file's errors were reported when the order was checked. */
static const char *advise(fg_context *cx, void *data, int problem, const fg_isa *isa) {
  const fg_cli_bundle *o = data;
  fg_cli_advisor advisor = {.choice = o->choice, .target = "c"};
  fg_request request = {.isa = isa->name, .nrecipe = o->choice->nrecipe};
  fg_context own = {.arena = cx->arena};
  return fg_cli_advise_request(&own, &advisor, problem, &request) == FG_OK ? request.advised : NULL;
}

fg_status fg_cli_bundle_emit(fg_context *cx, const fg_cli_bundle *o) {
  fg_cli_bundle copy = *o;
  fg_bundle_request r = {.name = o->name,
                         .problem = o->choice->problem,
                         .function = o->choice->name,
                         .nproblem = o->choice->nproblem,
                         .recipe = o->choice->recipe,
                         .nrecipe = o->choice->nrecipe,
                         .machine = o->choice->machine,
                         .embedded = o->embedded,
                         .work = o->work,
                         .most_code = o->most_code,
                         .measure = o->measure ? measure : NULL,
                         .measure_data = &copy,
                         .advise = o->embedded ? NULL : advise,
                         .advise_data = &copy};
  fg_bundle made;
  fg_cli_advice first;
  fg_status status = fg_cli_bundle_isas(cx, o, &r);
  if (status == FG_OK)
    status = fg_cli_advise(cx, &(fg_cli_advisor){.choice = o->choice, .target = "c"}, r.problem[0], &first);
  if (status != FG_OK) return status;
  r.command = command_text(cx, o, &r);
  status = fg_bundle_create(cx, &r, &made);
  if (status == FG_OK) status = fg_files_write(cx, o->folder, made.file, 2);
  return status == FG_OK ? report(cx, o, &made) : status;
}
