/* See tune_report.h. */
#include "generator/cli/tune_report.h"
#include "generator/base/strbuf.h"
#include "runtime/store/store.h"
#include "runtime/version.h"
#include "tuning/report/page.h"
#include <string.h>
#include <time.h>

const char *fg_cli_tune_command(fg_context *cx, int argc, char **argv) {
  fg_strbuf s = fg_strbuf_new(cx->arena);
  for (int i = 0; i < argc; i++) {
    bool plain = i == 0 || (*argv[i] && !argv[i][strcspn(argv[i], " \t\n\"'\\$`&|;<>()*?[]{}~#!")]);
    fg_strbuf_add(&s, i ? " " : "");
    fg_strbuf_add(&s, plain ? "" : "'");
    for (const char *c = argv[i]; *c; c++) *c == '\'' ? fg_strbuf_add(&s, "'\\''") : fg_strbuf_addn(&s, c, 1);
    fg_strbuf_add(&s, plain ? "" : "'");
  }
  return s.text;
}

static struct tm now_utc(void) {
  time_t now = time(NULL);
  struct tm utc;
  gmtime_r(&now, &utc);
  return utc;
}

const char *fg_cli_tune_date(fg_context *cx) {
  struct tm utc = now_utc();
  return fg_arena_printf(cx->arena, "%d-%02d-%02d", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && !strcmp(text + n - m, end);
}

bool fg_cli_tune_report_name(const char *name) { return ends_with(name, ".csv") || ends_with(name, ".html"); }

fg_status fg_cli_tune_report(fg_context *cx, const char *name, const cJSON *list, const fg_device *device,
                             const fg_device_facts *facts, const char *command) {
  char *text;
  fg_context own = {.arena = cx->arena}; /* earlier failures are reported first */
  struct tm utc = now_utc();
  fg_page_head head = {
      .machine = facts->name,
      .device = fg_arena_printf(cx->arena, "%s%s%s", device->name, *facts->version ? ", " : "", facts->version),
      .date = fg_arena_printf(cx->arena, "%s %02d:%02d UTC", fg_cli_tune_date(cx), utc.tm_hour, utc.tm_min),
      .version = fg_version,
      .command = command};
  fg_status status = fg_page_create(&own, ends_with(name, ".html") ? &head : NULL, list, &text);
  if (status == FG_OK) status = fg_store_replace(&own, name, text, strlen(text));
  if (status != FG_OK) fg_diag_set(&cx->diag, status, "%s", own.diag.message);
  return status;
}
