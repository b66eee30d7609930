/* See interrupt.h. */
#include "generator/cli/interrupt.h"
#include <signal.h>

volatile int fg_cli_interrupted;
static struct sigaction before;

static void on_interrupt(int signal_number) {
  (void)signal_number;
  fg_cli_interrupted = 1;
}

void fg_cli_interrupt_begin(void) {
  struct sigaction interrupt = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
  sigaction(SIGINT, &interrupt, &before);
}

void fg_cli_interrupt_end(void) { sigaction(SIGINT, &before, NULL); }
