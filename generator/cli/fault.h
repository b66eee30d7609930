/* A fault of the processor while this program works, reported as a fault of fftgen's own. */
#ifndef FG_CLI_FAULT_H
#define FG_CLI_FAULT_H

/* From here on such a signal ends the program with exit code 4 and a line that asks to report the command. */
void fg_cli_fault_begin(int argc, char **argv);
#endif
