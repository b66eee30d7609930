/* Which exchanges there are: a table. What it has no row for, the verifier refuses. */
#include "generator/ir/exchange.h"
#include <stddef.h>

#define BIT(point) (1U << FG_EXCHANGE_##point)

static const struct row {
  fg_scope scope;
  fg_transport transport;
  fg_signal signal;
  unsigned points;
} rows[] = {
    {FG_SCOPE_NONE, FG_TRANSPORT_MEMORY, FG_SIGNAL_NONE, (1U << FG_EXCHANGE_POINTS) - 1},
    {FG_SCOPE_REGISTER, FG_TRANSPORT_MEMORY, FG_SIGNAL_NONE, BIT(BETWEEN)},
    {FG_SCOPE_LANE, FG_TRANSPORT_MEMORY, FG_SIGNAL_NONE, BIT(BETWEEN)},
    {FG_SCOPE_LANE, FG_TRANSPORT_SHUFFLE, FG_SIGNAL_NONE, BIT(BEFORE) | BIT(BUFFER)},
    {FG_SCOPE_BLOCK, FG_TRANSPORT_MEMORY, FG_SIGNAL_BARRIER, BIT(BEFORE) | BIT(BETWEEN) | BIT(AFTER)},
    {FG_SCOPE_BLOCK, FG_TRANSPORT_ENGINE, FG_SIGNAL_COUNT, BIT(BEFORE)},
    {FG_SCOPE_BLOCK, FG_TRANSPORT_ENGINE, FG_SIGNAL_WAIT, BIT(BEFORE)},
    {FG_SCOPE_DEVICE, FG_TRANSPORT_ENGINE, FG_SIGNAL_COUNT, BIT(AFTER)},
    {FG_SCOPE_CLUSTER, FG_TRANSPORT_REMOTE, FG_SIGNAL_BARRIER, BIT(BETWEEN)},
    {FG_SCOPE_CLUSTER, FG_TRANSPORT_REMOTE, FG_SIGNAL_ISSUED, BIT(BETWEEN)},
    {FG_SCOPE_CLUSTER, FG_TRANSPORT_REMOTE, FG_SIGNAL_ARRIVE, BIT(OFFER)},
    {FG_SCOPE_CLUSTER, FG_TRANSPORT_REMOTE, FG_SIGNAL_WAIT, BIT(BEFORE)},
    {FG_SCOPE_CLUSTER, FG_TRANSPORT_REMOTE, FG_SIGNAL_COUNT, BIT(AFTER) | BIT(BUFFER)},
    {FG_SCOPE_DEVICE, FG_TRANSPORT_RING, FG_SIGNAL_COUNT, BIT(BUFFER)},
};

const char *fg_exchange_wrong(fg_exchange x, fg_exchange_point point) {
  if (x.scope == FG_SCOPE_RANK) return "an exchange between ranks: there is no transport for it yet";
  for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
    const struct row *r = &rows[i];
    if (r->scope == x.scope && r->transport == x.transport && r->signal == x.signal)
      return r->points >> point & 1 ? NULL : "an exchange in a place where it has no meaning";
  }
  return "an exchange of a scope, a transport and a signal that do not fit together";
}
