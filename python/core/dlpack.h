/* DLPack's structs, as its specification has them (github.com/dmlc/dlpack): arrays that libraries exchange, and the
 * table of functions by which one reads another's without making objects, version 1.2. */
#ifndef FFTGEN_PYTHON_DLPACK_H
#define FFTGEN_PYTHON_DLPACK_H
#include <stdint.h>

enum { FG_DLPACK_CUDA = 2, FG_DLPACK_FLOAT = 2, FG_DLPACK_BFLOAT = 4, FG_DLPACK_COMPLEX = 5, FG_DLPACK_MAJOR = 1 };

typedef struct fg_dlpack_tensor {
  void *data;
  int32_t device_type, device;
  int32_t dimensions;
  uint8_t code, bits; /* of a type: its kind, the size of both parts together */
  uint16_t lanes;
  int64_t *shape, *strides; /* strides: NULL where rows follow one another */
  uint64_t offset;          /* bytes */
} fg_dlpack_tensor;

typedef struct fg_dlpack_managed {
  fg_dlpack_tensor t;
  void *owner;
  void (*release)(struct fg_dlpack_managed *m);
} fg_dlpack_managed;

typedef struct fg_dlpack_exchange { /* __dlpack_c_exchange_api__ of a library's type */
  uint32_t major, minor;
  void *before; /* the same of an earlier version */
  void *unused[3];
  int (*tensor_of)(void *object, fg_dlpack_tensor *to); /* borrowed; NULL: the library has none */
  int (*current_stream)(int32_t device_type, int32_t device, void **stream);
} fg_dlpack_exchange;

/* Of each fg_py_number; pairs of bfloats have none. */
static const struct {
  uint8_t code, bits;
} fg_dlpack_types[] = {{FG_DLPACK_FLOAT, 16},    {FG_DLPACK_FLOAT, 32},   {FG_DLPACK_FLOAT, 64},
                       {FG_DLPACK_BFLOAT, 16},   {FG_DLPACK_COMPLEX, 32}, {FG_DLPACK_COMPLEX, 64},
                       {FG_DLPACK_COMPLEX, 128}, {UINT8_MAX, 0}};
#endif
