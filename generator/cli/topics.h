/* Pages of help about topics: fftgen help TOPIC. */
#ifndef FG_CLI_TOPICS_H
#define FG_CLI_TOPICS_H
#include "generator/cli/page.h"
#include <stdbool.h>

typedef struct fg_topic {
  const char *name, *what;
  /* long: for a man page, which has room; else at most 40 lines */
  void (*write)(fg_context *cx, fg_cli_page *p, bool is_long);
} fg_topic;

extern const fg_topic fg_cli_topics[]; /* ends with a row without a name */
fg_cli_page *fg_cli_topic_page(fg_context *cx, const fg_topic *topic, bool is_long);
/* On standard output. names: parameters to be described in full, up to NULL; none: the page. */
fg_status fg_cli_topic_print(fg_context *cx, const char *topic, const char *const *names);
#endif
