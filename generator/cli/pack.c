/* fftgen pack: kernels to be shipped with a program. In: problems, instruction sets. Out: a folder of shared objects
 * with an index, which libfftgen reads without a compiler or the generator. Other targets than C: pack_device.c. */
#include "generator/cli/pack.h"
#include "generator/base/files.h"
#include "generator/base/strbuf.h"
#include "generator/cli/advice.h"
#include "generator/cli/pack_archive.h"
#include "generator/cli/pack_sign.h"
#include "generator/cli/parse.h"
#include "generator/print/names.h"
#include "runtime/store/hash.h"
#include "runtime/store/line.h"
#include "runtime/store/pack.h"
#include "runtime/store/read.h"
#include "runtime/store/store.h"
#include "runtime/store/wisdom.h"
#include "targets/cc/compile.h"
#include "targets/folder.h"
#include "tuning/search/object.h"
#include "tuning/search/packing.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
  MOST_ISAS = 8,
  MOST_OBJECT = 1 << 28,
  KEY_WISDOM = 512,
  KEY_ISA,
  KEY_SOURCES,
  KEY_TARGET,
  KEY_ARCH,
  KEY_SIGN,
  KEY_VERIFY,
  KEY_NEW,
  KEY_PLAN,
  KEY_NO_CODE
};

typedef struct order {
  fg_choice choice;
  const char *folder, *arch;
  const char *sources;                 /* start of all names; NULL: shared objects are made */
  const char *sign, *verify, *new_key; /* a file, a file, a name; at most one of them */
  const char *isa[MOST_ISAS];          /* from narrow to wide */
  int nisa;
  bool no_code;
} order;

/* In the order of the table, whatever the order that they were given in. */
static error_t parse_isas(order *o, const char *list, const struct argp_state *state) {
  for (const char *at = list; *at;) {
    size_t length = strcspn(at, ",");
    const fg_isa *i = fg_isa_table();
    while (i->name && (strlen(i->name) != length || memcmp(i->name, at, length))) i++;
    if (!i->name) return fg_cli_refuse(state, "--isa '%s': names such as scalar,avx2,avx512 (fftgen devices)", list);
    at += length + (at[length] == ',');
  }
  for (const fg_isa *i = fg_isa_table(); i->name && o->nisa < MOST_ISAS; i++) {
    const char *hit = strstr(list, i->name);
    size_t length = strlen(i->name);
    if (hit && (hit == list || hit[-1] == ',') && (!hit[length] || hit[length] == ',')) o->isa[o->nisa++] = i->name;
  }
  return 0;
}

/* Packs are compiled for this machine's CPU; sources may be for another one, but not for two. */
static error_t check_isas(const order *o, const struct argp_state *state) {
  const char *cpu = o->sources ? "" : fg_isa_cpu_here();
  for (int i = 0; i < o->nisa; i++) {
    const fg_isa *isa = fg_isa_find(o->isa[i]);
    if (!*isa->cpu || !strcmp(isa->cpu, cpu)) continue;
    if (!o->sources)
      return fg_cli_refuse(state, "--isa %s: packs are compiled for this machine's CPU, which is no %s", isa->name,
                           isa->cpu);
    if (*cpu) return fg_cli_refuse(state, "--isa %s: for %s, another one is for %s", isa->name, isa->cpu, cpu);
    cpu = isa->cpu;
  }
  return 0;
}

static bool is_name(const char *text) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  char all[sizeof letters + 11];
  snprintf(all, sizeof all, "%s0123456789_", letters);
  return *text && strchr(letters, *text) && strlen(text) < 64 && !text[strspn(text, all)];
}

static bool is_for_device(const order *o) { return o->choice.target && strcmp(o->choice.target, "c"); }

/* Otherwise a pack is signed that is there already. */
static bool makes_kernels(const order *o) { return !o->sign || o->choice.nproblem; }

static error_t check_signing(const order *o, const struct argp_state *state) {
  const char *alone = o->new_key ? "--new-key" : o->verify ? "--verify" : NULL;
  if (o->sign && o->sources) return fg_cli_refuse(state, "--sign: signs packs; --sources makes none");
  if (!alone) return 0;
  if (o->folder || o->sign || (o->new_key && o->verify))
    return fg_cli_refuse(state, "%s: takes no -o, --sign or other options beside it", alone);
  if (o->new_key && o->choice.nproblem)
    return fg_cli_refuse(state, "--new-key %s: takes no further argument, not '%s'", o->new_key, o->choice.problem[0]);
  if (o->verify && o->choice.nproblem != 1)
    return fg_cli_refuse(state, "--verify %s: one pack is wanted: a folder, or a file", o->verify);
  return 0;
}

/* C for one machine: its widest instructions, where none are named. */
static error_t plan_for_cpu(order *o, const struct argp_state *state) {
  const fg_machine *m = fg_cli_machine(state, o->arch);
  if (!m) return EINVAL;
  if (!fg_machine_takes(m, "c"))
    return fg_cli_refuse(state, "--arch '%s': with --target only, which is one of: %s", o->arch, m->target);
  o->choice.machine = m;
  if (!o->nisa) o->isa[o->nisa++] = m->isa;
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  order *o = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    for (int i = 0; i < 3; i++) state->child_inputs[i] = &o->choice;
    return 0;
  case 'o': return fg_cli_folder(state, arg, &o->folder);
  case KEY_TARGET: o->choice.target = arg; return 0;
  case KEY_PLAN: o->choice.plan = arg; return 0;
  case KEY_ARCH: o->arch = arg; return 0;
  case KEY_NO_CODE: o->no_code = true; return 0;
  case KEY_ISA: return parse_isas(o, arg, state);
  case KEY_SOURCES:
    if (!is_name(arg)) return fg_cli_refuse(state, "--sources '%s': letters, digits and _, a letter first", arg);
    o->sources = arg;
    return 0;
  case KEY_SIGN: o->sign = arg, o->choice.may_be_empty = true; return 0;
  case KEY_VERIFY: o->verify = arg, o->choice.may_be_empty = true; return 0;
  case KEY_NEW:
    if (!*arg || arg[strlen(arg) - 1] == '/') return fg_cli_refuse(state, "--new-key '%s': a name of files", arg);
    o->new_key = arg, o->choice.may_be_empty = true;
    return 0;
  case ARGP_KEY_END:
    if (check_signing(o, state)) return EINVAL;
    if (o->verify || o->new_key) return ARGP_ERR_UNKNOWN;
    if (!o->folder) return fg_cli_refuse(state, "no folder; say where with -o FOLDER");
    if (is_for_device(o)) {
      if (o->nisa || o->sources) return fg_cli_refuse(state, "--isa, --sources: with target c only");
      return ARGP_ERR_UNKNOWN;
    }
    if (o->no_code) return fg_cli_refuse(state, "--no-code: with --target cuda, opencl or hip and --arch only");
    if (o->arch && plan_for_cpu(o, state)) return EINVAL;
    if (o->choice.device && strcmp(o->choice.device, "cc"))
      return fg_cli_refuse(state, "--device '%s': packs are made by cc", o->choice.device);
    if (!o->nisa) o->isa[o->nisa++] = fg_isa_native()->name;
    error_t refused = check_isas(o, state);
    return refused ? refused : ARGP_ERR_UNKNOWN; /* the children look, too */
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option options[] = {
    {"output", 'o', "FOLDER", 0, "folder of the pack, replaced; NAME.tar: an archive", 0},
    {"isa", KEY_ISA, "LIST", 0, "instruction sets: scalar,avx2,avx512 (native)", 0},
    {"target", KEY_TARGET, "NAME", 0, "cuda, opencl: kernels for these (c)", 0},
    {"arch", KEY_ARCH, "LIST", 0,
     "with --target: machine code for sm_80,sm_90 or native; without: plan for this CPU (devices --arch)", 0},
    {"no-code", KEY_NO_CODE, NULL, 0, "with --arch: sources planned for it in place of machine code", 0},
    {"plan", KEY_PLAN, "TEXT", 0, "this plan, not the best candidate; help plan", 0},
    {"sources", KEY_SOURCES, "NAME", 0, "write C with the table NAME_kernels in NAME.c", 0},
    {"sign", KEY_SIGN, "FILE", 0, "sign with the secret key in FILE, also an older pack", 0},
    {"verify", KEY_VERIFY, "FILE", 0, "check a pack by the public key in FILE", 0},
    {"new-key", KEY_NEW, "NAME", 0, "make a pair of keys, NAME.key (secret) and NAME.pub", 0},
    {0},
};
static const struct argp_child children[] = {FG_CLI_GROUP(device), FG_CLI_GROUP(problem), FG_CLI_GROUP(wisdom), {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "PROBLEM...",
    .doc = "Compile kernels into a folder that libfftgen finds by FFTGEN_PACK or options.pack."
           "\vExamples:\n"
           "  fftgen pack \"c2c f32 n=1024\" \"c2c f32 n=2048\" --isa scalar,avx2 -o kernels\n"
           "  fftgen pack \"c2c f32 n=1024\" --isa avx2,avx512 -o kernels.tar\n"
           "  fftgen pack \"c2c f32 n=1024\" --isa scalar,avx2 --sources filter -o src\n"
           "  fftgen pack \"c2c f32 n=1024 batch=100\" --target cuda --arch sm_80,sm_90 -o k\n"
           "  fftgen pack \"c2c f32 n=1024 batch=100\" --target opencl -o k\n"
           "  fftgen pack --new-key mine\n"
           "  fftgen pack \"c2c f32 n=1024\" -o kernels --sign mine.key\n"
           "  fftgen pack --verify mine.pub kernels\n",
    .children = children,
};

typedef struct job {
  const order *o;
  int problem;
  const char *isa;
  const fg_device *device;
  const fg_device_facts *facts;
  fg_strbuf *index;
} job;

typedef struct kernel { /* a shared object */
  const char *file;
  char *data;
  size_t bytes;
} kernel;

static fg_status add_line(fg_context *cx, const job *j, const fg_compilation *c, const kernel *k) {
  char sum[FG_HASH_TEXT];
  fg_hash_text(fg_hash_add(fg_hash_begin(), k->data, k->bytes), sum);
  fg_strbuf_addf(
      j->index,
      "{\"fftgen\":1,\"problem\":%s,\"plan\":%s,\"isa\":\"%s\",\"features\":\"%s\",\"file\":\"%s\",\"sum\":\"%s\"}\n",
      fg_line_quote(cx->arena, fg_wisdom_problem(cx, &c->problem)),
      fg_line_quote(cx->arena, fg_plan_print(cx, c->chosen.plan)), j->isa, c->isa->cpu_feature, k->file, sum);
  printf("%s  %s  %s  %zu bytes\n", fg_wisdom_problem(cx, &c->problem), fg_plan_print(cx, c->chosen.plan), j->isa,
         k->bytes);
  return FG_OK;
}

/* NAME_forward_avx512 */
static const char *source_name(fg_context *cx, const job *j) {
  return fg_arena_printf(cx->arena, "%s_%s_%s", j->o->sources, j->o->choice.name[j->problem], j->isa);
}

/* Of problems that have no name of their own: c2c_f32_n256_fwd. */
static fg_status name_sources(fg_context *cx, fg_choice *c) {
  for (int i = 0; i < c->nproblem; i++) {
    fg_problem p;
    fg_status status = c->name[i] ? FG_OK : fg_problem_parse(cx, c->problem[i], &p);
    if (status != FG_OK) return status;
    if (!c->name[i]) c->name[i] = fg_emit_name(cx, &p) + strlen("fft_");
    for (int k = 0; k < i; k++)
      if (!strcmp(c->name[k], c->name[i]))
        return fg_refuse(cx, "pack: \"%s\" and \"%s\" would both be %s; leave one out, or name them", c->problem[k],
                         c->problem[i], c->name[i]);
  }
  return FG_OK;
}

static fg_status write_source(fg_context *cx, const job *j, const fg_compilation *c) {
  fg_object object;
  const char *name = source_name(cx, j);
  fg_status status = fg_object_create(c, NULL, fg_arena_printf(cx->arena, "%s_kernel", name), &object);
  if (status != FG_OK) return status;
  fg_file file = {fg_arena_printf(cx->arena, "%s.c", name), object.artifact.source, object.artifact.source_bytes};
  printf("%s: %s  %s\n", file.name, fg_wisdom_problem(cx, &c->problem), fg_plan_print(cx, c->chosen.plan));
  return fg_files_write(cx, j->o->folder, &file, 1);
}

static fg_status write_table(fg_context *cx, job *j) {
  const order *o = j->o;
  const char **symbol = fg_arena_new(cx->arena, const char *, o->choice.nproblem * o->nisa);
  char *text;
  int n = 0;
  for (j->problem = 0; j->problem < o->choice.nproblem; j->problem++)
    for (int i = 0; i < o->nisa; i++) {
      j->isa = o->isa[i];
      symbol[n++] = fg_arena_printf(cx->arena, "%s_kernel", source_name(cx, j));
    }
  fg_status status = fg_object_table(cx, o->sources, symbol, n, &text);
  if (status != FG_OK) return status;
  fg_file file = {fg_arena_printf(cx->arena, "%s.c", o->sources), text, strlen(text)};
  return fg_files_write(cx, o->folder, &file, 1);
}

/* Compiled in a temporary folder: a compiler that is stopped leaves nothing in the pack. */
static fg_status compile_kernel(fg_context *cx, const fg_object *object, kernel *k) {
  char folder[4096], why[FG_WHY_SIZE];
  if (!fg_folder_make(folder, sizeof folder))
    return fg_diag_set(&cx->diag, FG_ESYS, "%s: no folder can be made: %s", fg_folder_root(), strerror(errno));
  const char *made = fg_arena_printf(cx->arena, "%s/kernel.so", folder);
  fg_status status = FG_OK;
  if (fg_cc_compile(&object->artifact, made, why)) status = fg_diag_set(&cx->diag, FG_ESYS, "%s", why);
  if (status == FG_OK) status = fg_store_read(cx, made, MOST_OBJECT, &k->data, &k->bytes);
  if (status == FG_ENA) status = fg_diag_set(&cx->diag, FG_ESYS, "%s: the file has disappeared", made);
  unlink(made);
  rmdir(folder);
  return status;
}

static fg_status pack_one(fg_context *cx, void *data) {
  const job *j = data;
  fg_compilation c;
  fg_object object;
  fg_request request = fg_cli_request(&j->o->choice, j->problem);
  request.isa = j->isa;
  request.entry = true;
  fg_cli_advisor advisor = {.choice = &j->o->choice, .target = "c"};
  fg_status status = fg_cli_advise_request(cx, &advisor, j->problem, &request);
  if (j->o->sources) request.prefix = source_name(cx, j);
  if (status == FG_OK) status = fg_pipeline_compile(cx, &request, &c);
  if (status == FG_OK && j->o->sources) return write_source(cx, j, &c);
  if (status == FG_OK) status = fg_object_create(&c, j->facts, NULL, &object);
  if (status != FG_OK) return status;
  kernel k = {.file = fg_arena_printf(cx->arena, "%s.so", object.address)};
  status = compile_kernel(cx, &object, &k);
  if (status == FG_OK)
    status = fg_store_replace(cx, fg_arena_printf(cx->arena, "%s/%s", j->o->folder, k.file), k.data, k.bytes);
  return status == FG_OK ? add_line(cx, j, &c, &k) : status;
}

static fg_status pack_for_cpu(fg_context *cx, job *j) {
  const order *o = j->o;
  for (j->problem = 0; j->problem < o->choice.nproblem; j->problem++)
    for (int i = 0; i < o->nisa; i++) {
      j->isa = o->isa[i];
      fg_status status = fg_cli_in_own_arena(cx, pack_one, j);
      if (status != FG_OK) return status;
    }
  return FG_OK;
}

static fg_status pack_all(fg_context *cx, job *j) {
  const order *o = j->o;
  fg_cli_pack_order for_device = {&o->choice, o->folder, o->arch, o->no_code};
  fg_status status = is_for_device(o) ? fg_cli_pack_for_device(cx, &for_device, j->index) : pack_for_cpu(cx, j);
  if (status != FG_OK) return status;
  if (o->sources) return write_table(cx, j);
  const char *index = fg_arena_printf(cx->arena, "%s/" FG_PACK_INDEX, o->folder);
  fg_pack_seal(j->index);
  status = fg_store_replace(cx, index, j->index->text, j->index->length);
  if (status == FG_OK) status = fg_packing_check_index(cx, o->folder, j->index);
  if (status == FG_EINTERNAL) unlink(index);
  return status;
}

static fg_status make(fg_context *cx, order *o) {
  fg_device_facts facts;
  fg_strbuf index;
  job j = {.o = o, .facts = &facts, .index = &index};
  index = fg_strbuf_new(cx->arena);
  fg_status status = FG_OK;
  if (o->sources) status = fg_names_check(cx, fg_dialect_find("c"), "--sources", o->sources);
  if (o->sources && status == FG_OK) status = name_sources(cx, &o->choice);
  if (status != FG_OK) return status;
  if (!o->sources && !is_for_device(o)) status = fg_cli_device(cx, &o->choice, &j.device, &facts);
  const char *archive = !o->sources && fg_cli_pack_is_archive(o->folder) ? o->folder : NULL, *named = o->folder;
  if (status == FG_OK)
    status = archive ? fg_cli_pack_archive_begin(cx, archive, &o->folder) : fg_store_make_folder(cx, o->folder);
  if (status != FG_OK) return status;
  status = pack_all(cx, &j);
  if (archive) status = fg_cli_pack_archive_end(cx, archive, o->folder, status);
  o->folder = named;
  return status;
}

/* A convolution with filter= wants the transform of its filters, too. */
static fg_status add_prepares(fg_context *cx, fg_choice *c) {
  for (int i = 0, count = c->nproblem; i < count; i++) {
    fg_problem p;
    fg_status status = fg_problem_parse(cx, c->problem[i], &p);
    if (status != FG_OK) return status;
    if (!p.filter.rank) continue;
    if (c->nproblem == FG_CLI_PROBLEMS)
      return fg_refuse(cx, "pack: more than %d problems, transforms of filters counted", FG_CLI_PROBLEMS);
    c->problem[c->nproblem++] = fg_problem_prepare(cx, &p);
  }
  return FG_OK;
}

static fg_status run(fg_context *cx, int argc, char **argv) {
  static order o = {.choice = {.most_problems = FG_CLI_PROBLEMS, .may_name = true, .device = "cc"}};
  fg_minisign_secret secret;
  fg_status status = fg_cli_parse(cx, &argp, argc, argv, &o);
  if (status != FG_OK) return status;
  if (o.new_key) return fg_cli_pack_new_key(cx, o.new_key);
  const char *name = o.choice.name[0];
  if (o.verify) /* a file's name may have = in it */
    return fg_cli_pack_verify(
        cx, o.verify, name ? fg_arena_printf(cx->arena, "%s=%s", name, o.choice.problem[0]) : o.choice.problem[0]);
  for (int i = 0; i < o.choice.nproblem && !o.sources; i++)
    if (o.choice.name[i]) return fg_refuse(cx, "pack: '%s=': names are for --sources", o.choice.name[i]);
  if (o.sign) status = fg_minisign_read_secret(cx, o.sign, &secret); /* before minutes of work */
  if (status == FG_OK && makes_kernels(&o) && !o.sources) status = add_prepares(cx, &o.choice);
  if (status == FG_OK && makes_kernels(&o)) status = make(cx, &o);
  if (status == FG_OK && o.sign) status = fg_cli_pack_sign(cx, &secret, o.folder);
  if (o.sign) sodium_memzero(&secret, sizeof secret);
  return status;
}

const fg_command fg_cli_pack = {"pack", "compile kernels into a folder to be shipped", &argp, run, NULL, false};
