/* Classes of characters as C sources have them: ASCII alone, in every locale.
 * What <ctype.h> says of a letter is the locale's: "i" has no upper case "I" in
 * Turkish, and bytes from 128 on are letters in single-byte locales. */
#ifndef FG_ASCII_H
#define FG_ASCII_H
#include <stdbool.h>

static inline bool fg_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool fg_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static inline bool fg_is_alnum(char c) { return fg_is_letter(c) || fg_is_digit(c); }
static inline bool fg_is_word(char c) { return fg_is_alnum(c) || c == '_'; } /* of names */
static inline bool fg_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline char fg_to_upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }
#endif
