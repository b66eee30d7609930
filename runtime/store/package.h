/* A package: the kernels of one problem for a device that launches them, as one
 * file. It is what packs and caches hold and what libfftgen-jit makes. In it: lines
 * of JSON (what is launched, on which arrays), an empty line, then bytes: contents
 * of tables and the kernels' code, each in the forms in which it was compiled.
 *
 *   {"fftgen_package":1,"target":"cuda","problem":"c2c f32 n=64","plan":"stockham(8,8)",...}
 *   {"buffer":"in","kind":"in","split":false,"bytes":512,"content":0}
 *   {"launch":"fft_block","threads":8,"local_bytes":544,"blocks":"1,-1,1","arguments":"b0 b1 b2 p0"}
 *   {"code":"cubin","for":"sm_90","bytes":4711}
 */
#ifndef FG_PACKAGE_H
#define FG_PACKAGE_H
#include "generator/base/strbuf.h"
#include "generator/problem/problem.h"
#include "targets/device.h"

enum { FG_PACKAGE_SCHEMA = 1, FG_PACKAGE_CODES = 8 };

typedef struct fg_package_code {
  const char *form; /* "source", "cubin", "ptx", "binary" */
  const char *fits; /* the architecture or device that it was made for; "": any */
  const void *bytes;
  size_t size; /* without the zero that follows the bytes */
} fg_package_code;

typedef struct fg_package {
  const char *problem;   /* canonical text */
  const char *plan;      /* text */
  const char *generator; /* fg_version */
  const char *compiler;  /* that would compile, or did compile, the source; "": the driver's */
  int64_t flops, bytes;  /* of one call */
  fg_artifact artifact;  /* dialect, name, buffers with their contents, launches; no source */
  int ncode;
  fg_package_code code[FG_PACKAGE_CODES];
} fg_package;

void fg_package_write(fg_context *cx, const fg_package *p, fg_strbuf *out);
/* NULL, or what is wrong with the bytes. out points into them; texts and launches
 * are in cx's arena. Bytes are not trusted: everything is checked. */
const char *fg_package_read(fg_context *cx, const char *bytes, size_t size, fg_package *out);
/* The code of this form that was made for this; NULL: none. */
const fg_package_code *fg_package_find(const fg_package *p, const char *form, const char *fits);
/* One form more; false: there are too many. */
bool fg_package_add(fg_package *p, const fg_package_code *code);
#endif
