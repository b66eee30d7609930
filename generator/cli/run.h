/* From a choice to a program that runs: the device, then the compilation for it. Used by verify and bench. */
#ifndef FG_CLI_RUN_H
#define FG_CLI_RUN_H
#include "generator/cli/cli.h"

/* The device's own probe, safe from drivers that abort. */
int fg_cli_probe(const fg_device *d, fg_device_facts *facts, char why[FG_WHY_SIZE]);
/* The device that --device names, or the first that serves the target and is
 * here. FG_EUSER with the reason when there is none. */
fg_status fg_cli_device(fg_context *cx, const fg_choice *choice, const fg_device **out, fg_device_facts *facts);
bool fg_cli_has_device(const char *target); /* whether a device is for it, here or not */
/* The same, found in a child process, so that no driver is started in this one. */
fg_status fg_cli_device_apart(fg_context *cx, const fg_choice *choice, const fg_device **out, fg_device_facts *facts);
/* Problem i of the choice through all of the pipeline, for this device. */
fg_status fg_cli_compile(fg_context *cx, const fg_choice *choice, int i, const fg_device *d,
                         const fg_device_facts *facts, fg_compilation *out);

/* Runs one of several jobs in an arena of its own; complaints are written to cx. */
fg_status fg_cli_in_own_arena(fg_context *cx, fg_status (*job)(fg_context *cx, void *data), void *data);
#endif
