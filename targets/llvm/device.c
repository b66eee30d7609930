/* The device "llvm": instructions become machine code inside this process, without
 * text and without a compiler. In: an artifact with code. Out: a callable module.
 *
 * One way for all: the object that LLVM makes is linked by link.c to the bytes of
 * a shared object, which is loaded by dlopen here, and out of the runtime's cache
 * later. What is measured is what is kept; loading it needs no LLVM. */
#include "targets/dialect.h"
#include "targets/host.h"
#include "targets/host_module.h"
#include "targets/llvm/build.h"
#include "targets/llvm/llvm.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { USUAL_LEVEL = 2, MOST_TABLES = 72 };

typedef struct loaded {
  int file; /* kept open: its number is in the name that the loader knows the library by */
  void *library;
} loaded;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  bool split; /* contraction is off */
  int level;
} state = {.level = USUAL_LEVEL};

static int probe(fg_device_facts *facts, char why[FG_WHY_SIZE]) {
  const fg_llvm *llvm = fg_llvm_load(why);
  if (!llvm) return 1;
  const fg_isa *isa = fg_isa_native();
  *facts = (fg_device_facts){0};
  fg_host_facts(facts);
  snprintf(facts->version, sizeof facts->version, "%s for %s", llvm->version, llvm->cpu);
  snprintf(facts->flags, sizeof facts->flags, "-O%d%s", state.level, state.split ? " -ffp-contract=off" : "");
  facts->lanes_f32 = isa->vector_bytes ? isa->vector_bytes / 4 : 1;
  facts->lanes_f64 = isa->vector_bytes ? isa->vector_bytes / 8 : 1;
  facts->registers = isa->registers;
  facts->has_fma = isa->fma;
  fg_host_machine(isa->machine, facts);
  return 0;
}

/* ---- building ------------------------------------------------------------------------- */

/* The artifact's tables, then what else shall be in the image. */
static int gather_parts(const fg_artifact *a, const fg_llvm_order *order, fg_link_part *part, char (*name)[256]) {
  int n = 0;
  for (int t = 0; t < a->instructions->ntable; t++) {
    snprintf(name[t], sizeof name[t], FG_LLVM_TABLE_NAME, a->name, t);
    part[n++] = (fg_link_part){
        .symbol = name[t], .bytes = a->instructions->table[t].content, .size = a->instructions->table[t].bytes};
  }
  for (int i = 0; i < order->npart; i++) part[n++] = order->part[i];
  return n;
}

static int link_object(const fg_artifact *a, const fg_llvm_object *object, const fg_llvm_order *order, fg_image *out,
                       char why[FG_WHY_SIZE]) {
  char entry[256], part_entry[256], name[MOST_TABLES][256];
  const char *const function[] = {entry, part_entry};
  fg_link_part part[2 * MOST_TABLES];
  if (a->instructions->ntable > MOST_TABLES || order->npart > MOST_TABLES)
    return snprintf(why, FG_WHY_SIZE, "more than %d tables", MOST_TABLES), 1;
  snprintf(entry, sizeof entry, "%s_entry", a->name);
  snprintf(part_entry, sizeof part_entry, "%s_part_entry", a->name);
  fg_link_request r = {.object = object->bytes,
                       .size = object->size,
                       .nfunction = a->nstep ? 2 : 1,
                       .function = function,
                       .npart = gather_parts(a, order, part, name),
                       .part = part};
  return fg_llvm_link(&r, out, why);
}

/* What the usual level takes was measured: so much for each instruction, and more the
 * more of them there are in one piece. Code without it is up to three times as slow, and is made only where no
 * plan has less code. */
int fg_llvm_level(const fg_artifact *a, bool effort_fast) {
  enum { MOST_NS = 200000000, NS = 14000, NS_OF_LENGTH = 33 };
  pthread_mutex_lock(&lock);
  int level = state.level;
  pthread_mutex_unlock(&lock);
  return effort_fast && a->instructions->count * (NS + NS_OF_LENGTH * a->longest) > MOST_NS ? 0 : level;
}

int fg_llvm_build(const fg_artifact *a, const fg_llvm_order *order, fg_image *out, char why[FG_WHY_SIZE]) {
  const fg_llvm *llvm = fg_llvm_load(why);
  fg_llvm_object object;
  if (!llvm) return 1;
  if (!a->instructions)
    return snprintf(why, FG_WHY_SIZE, "text of dialect %.60s: instructions are wanted", a->dialect), 1;
  pthread_mutex_lock(&lock);
  fg_llvm_job job = {.code = a->instructions,
                     .name = a->name,
                     .flags = a->flags,
                     .contract = !state.split,
                     .level = order->level,
                     .direct = fg_artifact_is_direct(a)};
  pthread_mutex_unlock(&lock);
  if (llvm->compile(&job, &object, why)) return 1;
  int status = link_object(a, &object, order, out, why);
  llvm->release(&object);
  return status;
}

static int write_all(int file, const fg_image *image) {
  for (size_t done = 0; done < image->size;) {
    ssize_t n = write(file, image->bytes + done, image->size - done);
    if (n <= 0) return 1;
    done += (size_t)n;
  }
  return 0;
}

static void *find_symbol(void *code, const char *symbol) { return dlsym(((loaded *)code)->library, symbol); }

static void release(void *code) {
  loaded *l = code;
  if (l->library) dlclose(l->library);
  if (l->file >= 0) close(l->file);
  free(l);
}

static loaded *load_image(const fg_image *image, char why[FG_WHY_SIZE]) {
  char path[64];
  loaded *l = calloc(1, sizeof *l);
  if (!l) return snprintf(why, FG_WHY_SIZE, "out of memory"), NULL;
  l->file = memfd_create("fftgen-kernel", MFD_CLOEXEC);
  if (l->file < 0 || write_all(l->file, image)) {
    snprintf(why, FG_WHY_SIZE, "no memory for the kernel's file");
    return release(l), NULL;
  }
  snprintf(path, sizeof path, "/proc/self/fd/%d", l->file);
  l->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (l->library) return l;
  snprintf(why, FG_WHY_SIZE, "loading: %.400s", dlerror());
  return release(l), NULL;
}

static int build(const fg_artifact *a, fg_module **out, char why[FG_WHY_SIZE]) {
  fg_image image = {0};
  if (fg_llvm_build(a, &(fg_llvm_order){.level = state.level}, &image, why)) return 1;
  loaded *l = load_image(&image, why);
  free(image.bytes);
  return l ? fg_host_module_create(a, &(fg_host_code){l, find_symbol, release}, out, why) : 1;
}

static int option(const char *key, const char *value, char why[FG_WHY_SIZE]) {
  bool level = !strcmp(key, "level"), contract = !strcmp(key, "contract");
  if (level && value && (strlen(value) != 1 || *value < '0' || *value > '3'))
    return snprintf(why, FG_WHY_SIZE, "llvm: level '%.32s': 0 .. 3", value), 1;
  if (contract && value && strcmp(value, "on") && strcmp(value, "off"))
    return snprintf(why, FG_WHY_SIZE, "llvm: contract '%.32s': on, off", value), 1;
  if (!level && !contract) return snprintf(why, FG_WHY_SIZE, "llvm: unknown option %.64s (level, contract)", key), 1;
  pthread_mutex_lock(&lock);
  if (level) state.level = value ? *value - '0' : USUAL_LEVEL;
  if (contract) state.split = value && !strcmp(value, "off");
  pthread_mutex_unlock(&lock);
  return 0;
}

const fg_device fg_device_llvm = {
    .name = "llvm",
    .help = "machine code for this CPU by LLVM 19, without text or compiler",
    .dialect = "code",
    .has_lanes = true,
    .on_host = true,
    .probe = probe,
    .build = build,
    .run = fg_host_module_run,
    .time = fg_host_module_time,
    .sample = fg_host_module_sample,
    .destroy = fg_host_module_destroy,
    .option = option,
};
