/* See memory.h. Memory keeps its context alive: one reference for each allocation. */
#include "targets/cuda/memory.h"

typedef struct inside { /* the context, while something is done in it */
  const fg_cu_api *cu;
  int device;
} inside;

/* Takes a reference, and makes the context current. */
static int enter(inside *in, char why[FG_WHY_SIZE]) {
  fg_cu_context_ref context = NULL;
  in->cu = fg_cu_load(why);
  if (!in->cu || fg_cuda_device(in->cu, &in->device, why)) return 1;
  int status = in->cu->context_retain(&context, in->device);
  if (status != FG_CU_SUCCESS) return fg_cu_failed(why, "opening the CUDA context", status);
  status = in->cu->context_push(context);
  if (status == FG_CU_SUCCESS) return 0;
  in->cu->context_release(in->device);
  return fg_cu_failed(why, "entering the CUDA context", status);
}

/* keep: the reference is some memory's now. */
static int leave(const inside *in, bool keep, int status, const char *what, char why[FG_WHY_SIZE]) {
  fg_cu_context_ref context;
  in->cu->context_pop(&context);
  if (!keep) in->cu->context_release(in->device);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, what, status);
}

static int take(size_t bytes, void **out, char why[FG_WHY_SIZE]) {
  inside in;
  fg_cu_memory memory = 0;
  if (enter(&in, why)) return 1;
  int status = in.cu->allocate(&memory, bytes ? bytes : 1);
  *out = (void *)(uintptr_t)memory;
  return leave(&in, status == FG_CU_SUCCESS, status, "allocating memory on the GPU", why);
}

static int put(void *to, const void *from, size_t bytes, char why[FG_WHY_SIZE]) {
  inside in;
  if (enter(&in, why)) return 1;
  int status = in.cu->upload((uintptr_t)to, from, bytes);
  if (status == FG_CU_SUCCESS) status = in.cu->stream_wait(NULL); /* it may still be on its way */
  return leave(&in, false, status, "copying to the GPU", why);
}

static int fetch(void *to, const void *from, size_t bytes, char why[FG_WHY_SIZE]) {
  inside in;
  if (enter(&in, why)) return 1;
  int status = in.cu->download(to, (uintptr_t)from, bytes);
  return leave(&in, false, status, "copying from the GPU", why);
}

static void release(void *memory) {
  inside in;
  char why[FG_WHY_SIZE];
  if (!memory || enter(&in, why)) return;
  in.cu->release((uintptr_t)memory);
  in.cu->context_release(in.device); /* that the memory had */
  leave(&in, false, FG_CU_SUCCESS, "", why);
}

const fg_resident_memory fg_cuda_memory = {take, put, fetch, release};
