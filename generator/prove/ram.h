/* fg_ram: memory of the proof's virtual machine, in which buffers share cells by aliases. */
#ifndef FG_PROVE_RAM_H
#define FG_PROVE_RAM_H
#include "generator/prove/page.h"

typedef enum fg_flight { /* of a bulk copy that uses shared memory */
                         FG_FLIGHT_NONE,
                         FG_FLIGHT_COMES,   /* it is stored to */
                         FG_FLIGHT_LEAVES,  /* it is loaded from */
                         FG_FLIGHT_DRAINED, /* the same, but one thread knows that this is over */
} fg_flight;

typedef struct fg_ram { /* buffers that share places by aliases */
  int root;             /* the buffer that owns the places; -1: not a root */
  bool local, is_input, is_output;
  bool mixed;             /* its buffers differ in layout or elements: places follow the layouts */
  int64_t low;            /* element of place 0 */
  int64_t elements, half; /* half: where imaginary parts begin, SPLIT among mixed */
  fg_flight flight;
  int64_t each; /* elements of each thread, in registers of lanes; else 0 */
  int64_t part; /* LOCAL in clusters: elements of each block, one after the other; else 0 */
  size_t npage;
  int places; /* of a page */
  fg_page **page;
  bool given;    /* no kernel may store there: its values are functions of the place, and no page has them */
  bool plain;    /* place of element e: 2 (e - low), and the next one */
  bool packed;   /* places are of the caller's elements alone, by their numbers */
  bool dense;    /* every element is one of the result */
  bool written;  /* by the present launch */
  fg_page *near; /* the page used last; NULL: none */
  int64_t near_number;
  fg_notes **thread, **others; /* by page: per thread, per block; NULL where no conflict is possible */
  fg_notes *near_thread;       /* the near page's */
  fg_touch *near_others;       /* the same */
  uint32_t near_epoch;         /* when it was used */
} fg_ram;

typedef struct fg_bounds { /* elements low .. low + count - 1 may be used */
  int64_t low, count;
} fg_bounds;
#endif
