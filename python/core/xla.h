/* XLA's foreign function interface, version 0.x, as far as handlers here read it: layouts of its structs. */
#ifndef FFTGEN_PYTHON_XLA_H
#define FFTGEN_PYTHON_XLA_H
#include <stddef.h>
#include <stdint.h>

typedef struct fg_xla_head { /* of each struct, with the size that its maker knows */
  size_t size;
  struct fg_xla_extension *extension;
} fg_xla_head;

enum { FG_XLA_METADATA = 1, FG_XLA_EXECUTE = 3, FG_XLA_ARRAY = 1, FG_XLA_SCALAR = 3, FG_XLA_STRING = 4 };
enum { FG_XLA_S64 = 5, FG_XLA_F32 = 11, FG_XLA_F64 = 12, FG_XLA_C64 = 15, FG_XLA_C128 = 18 }; /* types of elements */
enum { FG_XLA_INVALID_ARGUMENT = 3, FG_XLA_RESOURCE_EXHAUSTED = 8, FG_XLA_INTERNAL = 13 };

typedef struct fg_xla_version {
  fg_xla_head head;
  int major, minor;
} fg_xla_version;

typedef struct fg_xla_metadata {
  size_t size;
  fg_xla_version version;
  uint32_t traits;
} fg_xla_metadata;

typedef struct fg_xla_extension {
  size_t size;
  int type;
  struct fg_xla_extension *next;
  fg_xla_metadata *metadata; /* of type FG_XLA_METADATA */
} fg_xla_extension;

typedef struct fg_xla_buffer {
  fg_xla_head head;
  int type;
  void *data;
  int64_t rank, *dims;
} fg_xla_buffer;

typedef struct fg_xla_bytes {
  const char *at;
  size_t length;
} fg_xla_bytes;

typedef struct fg_xla_scalar {
  int type;
  void *value;
} fg_xla_scalar;

typedef struct fg_xla_array {
  int type;
  size_t count;
  void *data;
} fg_xla_array;

typedef struct fg_xla_list { /* of arguments, or of results */
  fg_xla_head head;
  int64_t count;
  int *types;
  void **at; /* buffers */
} fg_xla_list;

typedef struct fg_xla_attributes {
  fg_xla_head head;
  int64_t count;
  int *types;
  fg_xla_bytes **names;
  void **at;
} fg_xla_attributes;

typedef struct fg_xla_error fg_xla_error; /* XLA's */
typedef struct fg_xla_error_arguments {
  fg_xla_head head;
  const char *message;
  int code;
} fg_xla_error_arguments;

typedef struct fg_xla_stream_arguments {
  fg_xla_head head;
  void *context, *stream;
} fg_xla_stream_arguments;

typedef struct fg_xla_memory_arguments { /* those of release have no alignment */
  fg_xla_head head;
  void *context;
  size_t bytes, alignment;
  void *data;
} fg_xla_memory_arguments;

typedef struct fg_xla_api {
  fg_xla_head head;
  fg_xla_version version;
  const void *internal;
  fg_xla_error *(*error)(fg_xla_error_arguments *a);
  void *not_called[3];
  fg_xla_error *(*stream)(fg_xla_stream_arguments *a);
  void *not_called_either[4];
  fg_xla_error *(*allocate)(fg_xla_memory_arguments *a);
} fg_xla_api;

typedef struct fg_xla_frame { /* of a call */
  fg_xla_head head;
  const fg_xla_api *api;
  void *context;
  int stage;
  fg_xla_list arguments, results;
  fg_xla_attributes attributes;
} fg_xla_frame;
#endif
