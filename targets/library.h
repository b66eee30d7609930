/* Libraries that are loaded on demand: nothing links a driver or a compiler.
 *
 * The functions needed are fields of a struct, each pointer the same size, and listed with their symbols. Libraries
 * stay loaded, because drivers cannot be unloaded. */
#ifndef FG_LIBRARY_H
#define FG_LIBRARY_H
#include <stdbool.h>
#include <stddef.h>

typedef struct fg_symbol {
  const char *name;
  size_t offset; /* of the pointer in the struct */
} fg_symbol;

/* Of a list F(name, symbol, parameters) of functions that return int: the fields of struct api, and rows of its
 * symbols. */
#define FG_API_FIELD(name, symbol, parameters) int(*name) parameters;
#define FG_API_SYMBOL(name, symbol, parameters) {#symbol, offsetof(struct api, name)},

/* The first of `count` names that the loader finds; NULL: none. */
void *fg_library_open(const char *const *names, size_t count);
/* Fills the struct `functions`. Out: NULL, or the first symbol that the library lacks. */
const char *fg_library_find(void *library, const fg_symbol *symbols, size_t count, void *functions);
/* This program is linked statically: a library that needs libc brings another one, and has crashed such programs. */
bool fg_library_static_program(void);
#define FG_LIBRARY_STATIC "this program is linked statically, and libraries with a libc of their own would crash it"
#endif
