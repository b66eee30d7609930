/* Ctrl-C during long work: the results so far are written. */
#ifndef FG_CLI_INTERRUPT_H
#define FG_CLI_INTERRUPT_H

extern volatile int fg_cli_interrupted;

/* From begin to end, Ctrl-C only sets fg_cli_interrupted. */
void fg_cli_interrupt_begin(void);
void fg_cli_interrupt_end(void);
#endif
