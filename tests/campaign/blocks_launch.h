/* A launch by its kernel's name. In: behind a file's kernels, KERNEL for each of them in a file kernels.def (chunk.sh).
 * Out: blocks_launch. */
struct blocks_row {
  const char *name;
  void (*kernel)(void **);
};
static const blocks_row blocks_table[] = {
#define KERNEL(name) {#name, [](void **a) { blocks_apply(&name, a); }},
#include BLOCKS_KERNELS
#undef KERNEL
    {nullptr, nullptr}};

/* 0, or -1: there is no such kernel. */
extern "C" int blocks_launch(const char *name, const unsigned shape[4], size_t local_bytes, void **arguments);
extern "C" int blocks_launch(const char *name, const unsigned shape[4], size_t local_bytes, void **arguments) {
  const blocks_row *row = blocks_table;
  while (row->name && strcmp(row->name, name) != 0) row++;
  if (!row->name) return -1;
  blocks_kernel = row->kernel, blocks_arguments = arguments;
  gridDim.x = shape[0], blockDim.x = shape[1], blocks_cluster = shape[2];
  blocks_run(shape[0], shape[3], local_bytes);
  return 0;
}
