/* A fault of the processor while this program works: an error of ours, and said to be one. */
#ifndef FG_CLI_FAULT_H
#define FG_CLI_FAULT_H

/* From here on such a signal ends the program with exit code 4 and a line that asks to report the command. */
void fg_cli_fault_begin(int argc, char **argv);
#endif
