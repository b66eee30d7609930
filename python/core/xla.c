/* Handlers of XLA's foreign function interface, which jax.jit's programs call (fftgen/jax_ops.py). In: a frame with an
 * input, an output and attributes. Out: results, or an error of XLA's. They run without Python's lock, on any thread;
 * what a frame says is checked against its arrays. */
#include "python/core/xla.h"
#include "fftw/engine/engine.h"
#include "python/core/gpu_driver.h"
#include "python/core/xla_handlers.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_AXES = 16,
  ALIGNMENT = 16 /* of a workspace, as loads of kernels want it; XLA refuses more than it keeps */
};

static fg_xla_error *fail(const fg_xla_frame *f, int code, const char *message) {
  fg_xla_error_arguments a = {.head.size = sizeof a, .message = message, .code = code};
  return f->api->error(&a);
}

static const void *attribute(const fg_xla_frame *f, const char *name, int type) {
  const fg_xla_attributes *a = &f->attributes;
  for (int64_t i = 0; i < a->count; i++)
    if (a->types[i] == type && a->names[i]->length == strlen(name) && !memcmp(a->names[i]->at, name, strlen(name)))
      return a->at[i];
  return NULL;
}

/* XLA asks which version a handler was written for: the one that asks, as long as structs only grow. */
static bool answer(const fg_xla_frame *f) {
  fg_xla_extension *e = f->head.extension;
  if (!e || e->type != FG_XLA_METADATA) return false;
  e->metadata->version.major = f->api->version.major, e->metadata->version.minor = f->api->version.minor;
  e->metadata->traits = 0;
  return true;
}

static size_t bytes_of(const fg_xla_buffer *b) {
  size_t bytes = b->type == FG_XLA_F32 ? 4 : b->type == FG_XLA_C128 ? 16 : 8;
  for (int64_t i = 0; i < b->rank; i++) bytes *= (size_t)b->dims[i];
  return bytes;
}

/* NULL: there is one input and one output, of numbers. */
static const char *read_buffers(const fg_xla_frame *f, const fg_xla_buffer **in, const fg_xla_buffer **out) {
  if (f->api->version.major != 0) return "fftgen knows version 0 of XLA's interface";
  if (f->arguments.count != 1 || f->results.count != 1) return "fftgen takes one array and returns one";
  *in = f->arguments.at[0], *out = f->results.at[0];
  for (int i = 0; i < 2; i++) {
    int type = (i ? *out : *in)->type;
    if (type != FG_XLA_F32 && type != FG_XLA_F64 && type != FG_XLA_C64 && type != FG_XLA_C128)
      return "fftgen takes float32, float64, complex64 and complex128";
  }
  return (*in)->rank == (*out)->rank && (*in)->rank <= MOST_AXES ? NULL : "arrays of other shapes than a transform's";
}

/* ---- the host -------------------------------------------------------------------------------- */

static bool pairs(int type) { return type == FG_XLA_C64 || type == FG_XLA_C128; }
static bool single(int type) { return type == FG_XLA_F32 || type == FG_XLA_C64; }

/* Of row-major arrays, in real numbers. */
static void strides_of(const fg_xla_buffer *b, int64_t *stride) {
  int64_t step = pairs(b->type) ? 2 : 1;
  for (int64_t i = b->rank; i-- > 0;) stride[i] = step, step *= b->dims[i];
}

static bool types_fit(int64_t kind, const fg_xla_buffer *in, const fg_xla_buffer *out) {
  bool in_pairs = kind == FG_ENGINE_FORWARD || kind == FG_ENGINE_BACKWARD || kind == FG_ENGINE_C2R;
  bool out_pairs =
      kind == FG_ENGINE_FORWARD || kind == FG_ENGINE_BACKWARD || kind == FG_ENGINE_R2C || kind == FG_ENGINE_WHOLE;
  return pairs(in->type) == in_pairs && pairs(out->type) == out_pairs && single(in->type) == single(out->type);
}

/* Words: the kind, then axes, of which the last one is halved. NULL, or what is wrong. */
static const char *problem_of(const fg_xla_array *words, const fg_xla_buffer *in, const fg_xla_buffer *out,
                              fg_engine_problem *p) {
  int64_t is[MOST_AXES], os[MOST_AXES];
  const int64_t *word = words->data;
  uint32_t seen = 0;
  if (words->type != FG_XLA_S64 || words->count < 2 || words->count > MOST_AXES + 1 || word[0] < 0 ||
      word[0] >= FG_ENGINE_KINDS || !types_fit(word[0], in, out))
    return "attributes that fftgen did not write";
  *p = (fg_engine_problem){.kind = (int32_t)word[0], .rank = (int32_t)words->count - 1, .threads = 1};
  strides_of(in, is), strides_of(out, os);
  for (int i = 0; i < p->rank; i++) {
    int64_t axis = word[1 + i];
    if (axis < 0 || axis >= in->rank || seen >> axis & 1) return "an axis that the array does not have";
    bool halved = i == p->rank - 1 && (p->kind == FG_ENGINE_C2R || p->kind == FG_ENGINE_R2C);
    const fg_xla_buffer *whole = p->kind == FG_ENGINE_C2R ? out : in, *other = whole == in ? out : in;
    int64_t n = whole->dims[axis];
    if (n < (p->kind == FG_ENGINE_DCT1 ? 2 : 1) || n > INT32_MAX || other->dims[axis] != (halved ? n / 2 + 1 : n))
      return "arrays of other lengths than a transform's";
    seen |= 1u << axis;
    p->dim[i] = (fg_engine_dim){n, is[axis], os[axis]};
  }
  for (int64_t i = 0; i < in->rank; i++) {
    if (seen >> i & 1) continue;
    if (in->dims[i] != out->dims[i]) return "arrays of other shapes than a transform's";
    if (in->dims[i] != 1) p->dim[p->rank + p->vectors++] = (fg_engine_dim){in->dims[i], is[i], os[i]};
  }
  return NULL;
}

static fg_xla_error *run_on_host(fg_xla_frame *f) {
  const fg_xla_buffer *in, *out;
  fg_engine_problem p;
  if (answer(f) || f->stage != FG_XLA_EXECUTE) return NULL;
  const fg_xla_array *words = attribute(f, "words", FG_XLA_ARRAY);
  const fg_xla_scalar *scale = attribute(f, "scale", FG_XLA_SCALAR);
  const char *wrong = read_buffers(f, &in, &out);
  if (!wrong && (!words || !scale || scale->type != FG_XLA_F64)) wrong = "attributes that fftgen did not write";
  if (!wrong) wrong = problem_of(words, in, out, &p);
  if (wrong) return fail(f, FG_XLA_INVALID_ARGUMENT, wrong);
  if (bytes_of(out) == 0) return NULL;
  p.in_place = in->data == out->data;
  const fg_engine *e = single(in->type) ? &fg_engine_f32 : &fg_engine_f64;
  fg_engine_plan *plan = e->get(&p);
  double factor = *(const double *)scale->value;
  bool done = plan && e->run(plan, in->data, out->data, factor, factor);
  if (plan) e->release(plan);
  return done ? NULL : fail(f, FG_XLA_RESOURCE_EXHAUSTED, "there is no memory for a transform");
}

/* ---- GPUs ------------------------------------------------------------------------------------ */

typedef struct entry { /* kept as long as the process */
  struct entry *next;
  void *context;
  fftgen_cuda_plan *plan;
  size_t length;
  char text[];
} entry;

static entry *entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const fg_py_cuda *cuda; /* set while Python's lock is held */

static const entry *make(const fg_xla_bytes *text, void *context, fftgen_error *error) {
  fftgen_options o = {.size = sizeof o, .concurrency = -1};
  entry *e = malloc(sizeof *e + text->length + 1);
  if (!e) return NULL;
  *e = (entry){.next = entries, .context = context, .length = text->length};
  memcpy(e->text, text->at, text->length);
  e->text[text->length] = 0;
  if (cuda->create(e->text, &o, &e->plan, error) == FFTGEN_OK) return entries = e;
  free(e);
  return NULL;
}

static const entry *plan_for(const fg_xla_bytes *text, void *context, fftgen_error *error) {
  pthread_mutex_lock(&lock);
  const entry *e = entries;
  while (e && (e->context != context || e->length != text->length || memcmp(e->text, text->at, text->length) != 0))
    e = e->next;
  if (!e) e = make(text, context, error);
  pthread_mutex_unlock(&lock);
  return e;
}

static fg_xla_error *launch(fg_xla_frame *f, const entry *e, const fftgen_info *info, fftgen_cuda_arrays *arrays) {
  fg_xla_stream_arguments s = {.head.size = sizeof s, .context = f->context};
  fg_xla_error *error = f->api->stream(&s);
  fftgen_error message = {.message = ""};
  if (error) return error;
  if (info->scratch) { /* XLA's again when this returns; what uses it next is behind the kernels on the stream */
    fg_xla_memory_arguments m = {
        .head.size = sizeof m, .context = f->context, .bytes = info->scratch, .alignment = ALIGNMENT};
    error = f->api->allocate(&m);
    if (error) return error;
    arrays->workspace = (unsigned long long)(uintptr_t)m.data;
  }
  if (cuda->execute(e->plan, arrays, s.stream, &message) == FFTGEN_OK) return NULL;
  return fail(f, FG_XLA_INTERNAL, message.message);
}

static fg_xla_error *run_on_gpu(fg_xla_frame *f) {
  const fg_xla_buffer *in, *out;
  void *context = NULL;
  fftgen_error error = {.message = "there is no memory for a plan"};
  fftgen_info info = {.size = sizeof info};
  if (answer(f) || f->stage != FG_XLA_EXECUTE) return NULL;
  const fg_xla_bytes *text = attribute(f, "problem", FG_XLA_STRING);
  const char *wrong = read_buffers(f, &in, &out);
  if (!wrong && !text) wrong = "attributes that fftgen did not write";
  if (!wrong && (!cuda || cuda->context_current(&context) != 0 || !context)) wrong = "no CUDA context is current";
  if (wrong) return fail(f, FG_XLA_INVALID_ARGUMENT, wrong);
  if (bytes_of(out) == 0) return NULL;
  const entry *e = plan_for(text, context, &error);
  if (!e) return fail(f, FG_XLA_INTERNAL, error.message);
  if (cuda->info(e->plan, &info) != FFTGEN_OK || bytes_of(in) < info.in_bytes || bytes_of(out) < info.out_bytes)
    return fail(f, FG_XLA_INVALID_ARGUMENT, "arrays shorter than the transform's");
  fftgen_cuda_arrays arrays = {.in = (uintptr_t)in->data, .out = (uintptr_t)out->data};
  return launch(f, e, &info, &arrays);
}

/* ---- capsules --------------------------------------------------------------------------------- */

PyObject *fg_py_xla_handler(PyObject *module, PyObject *platform) {
  union {
    fg_xla_error *(*function)(fg_xla_frame *f);
    void *data;
  } handler = {.function = run_on_host};
  (void)module;
  PyObject *text = PyUnicode_AsUTF8String(platform);
  if (!text) return NULL;
  bool gpu = !strcmp(PyBytes_AsString(text), "CUDA");
  Py_DECREF(text);
  if (gpu && !cuda && !(cuda = fg_py_cuda_get())) return NULL;
  if (gpu) handler.function = run_on_gpu;
  return PyCapsule_New(handler.data, NULL, NULL);
}
