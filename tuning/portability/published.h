/* Published figures on the same questions, for comparison. */
#ifndef FG_PORT_PUBLISHED_H
#define FG_PORT_PUBLISHED_H

typedef enum fg_port_question {
  FG_PORT_LAUNCHES,
  FG_PORT_CARRIED,
  FG_PORT_AGREEMENT,
  FG_PORT_KERNELS
} fg_port_question;

typedef struct fg_port_published {
  fg_port_question question;
  const char *whose, *on, *figure;
  double us; /* a time among it, for plots; 0: none */
} fg_port_published;

extern const fg_port_published fg_port_published_table[]; /* ends with whose NULL */

#endif
