/* What emitted launchers use of Apple's Foundation, for programs without it. */
#ifndef CAMPAIGN_WORDS_FOUNDATION_H
#define CAMPAIGN_WORDS_FOUNDATION_H
#include <stddef.h>

namespace NS {
typedef unsigned long UInteger;
enum StringEncoding { UTF8StringEncoding = 4 };
struct String {
  const char *text;
  static String *string(const char *text, StringEncoding) { return new String{text}; }
  const char *utf8String() const { return text; }
};
struct Error {
  String *localizedDescription() { return String::string("an error", UTF8StringEncoding); }
};
struct AutoreleasePool {
  static AutoreleasePool *alloc() { return new AutoreleasePool; }
  AutoreleasePool *init() { return this; }
  void release() { delete this; }
};
} // namespace NS
#endif
