/* Diagnostics: see diag.h. The first failure is kept; later ones are consequences. */
#include "generator/base/diag.h"
#include "generator/base/context.h"
#include "targets/number.h"

/* Messages quote what a user gave: one printable line all the same. */
static void make_one_line(char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || *text == 0x7f) *text = '?';
}

static fg_status set(fg_diag *d, fg_status status, const char *format, va_list args) {
  if (!d || d->status != FG_OK) return status;
  fg_number_vprint(d->message, sizeof d->message, format, args);
  make_one_line(d->message);
  return d->status = status;
}

fg_status fg_diag_set(fg_diag *d, fg_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  set(d, status, format, args);
  va_end(args);
  return status;
}

fg_status fg_refuse(fg_context *cx, const char *format, ...) {
  va_list args;
  va_start(args, format);
  set(&cx->diag, FG_EUSER, format, args);
  va_end(args);
  return FG_EUSER;
}

void fg_diag_clear(fg_diag *d) {
  d->status = FG_OK;
  d->message[0] = 0;
}

int fg_diag_exit_code(fg_status status) {
  switch (status) {
  case FG_OK: return 0;
  case FG_EUSER: return 2;
  case FG_EWRONG: return 3;
  case FG_EINTERNAL: return 4;
  case FG_ENA:
  case FG_ESYS:
  case FG_ENOMEM: break;
  }
  return 1;
}

const char *fg_status_name(fg_status status) {
  switch (status) {
  case FG_OK: return "ok";
  case FG_EUSER: return "user error";
  case FG_ENA: return "not applicable";
  case FG_ESYS: return "system error";
  case FG_ENOMEM: return "out of memory";
  case FG_EWRONG: return "wrong result";
  case FG_EINTERNAL: return "internal error";
  }
  return "unknown";
}
