/* Version of the generator: release, and a hash of everything that has a say in
 * emitted text, so that equal versions emit equal sources. Made by version.cmake. */
#ifndef FG_VERSION_H
#define FG_VERSION_H
extern const char fg_version[]; /* "0.2.0+1a2b3c4d5e6f" */
#endif
