/* Makes one shared object of a relocatable object and data, in memory, as a linker would, for the few kinds of
 * relocations in such objects. */
#ifndef FG_LLVM_LINK_H
#define FG_LLVM_LINK_H
#include "targets/device.h"

typedef struct fg_link_pointer { /* inside a part: the address of a symbol */
  size_t at;
  const char *symbol;
  size_t behind; /* bytes from the symbol to it */
} fg_link_pointer;

typedef struct fg_link_part { /* data of its own name */
  const char *symbol;
  const void *bytes;
  size_t size;
  bool is_public; /* dlsym finds it */
  int npointer;   /* with pointers it is written to by the loader, else constant */
  const fg_link_pointer *pointer;
} fg_link_part;

typedef struct fg_link_request {
  const void *object; /* ELF, x86-64, relocatable */
  size_t size;
  int nfunction;
  const char *const *function; /* of the object: public */
  int npart;
  const fg_link_part *part;
} fg_link_request;

typedef struct fg_image {
  unsigned char *bytes; /* free() */
  size_t size;
} fg_image;

/* 0, or nonzero with the reason in why. Equal requests give equal images. */
int fg_llvm_link(const fg_link_request *request, fg_image *out, char why[FG_WHY_SIZE]);
#endif
