# The comments of a header as Doxygen reads them: the file's own, a struct's behind its brace, a
# field's or a value's behind it, those before a declaration.
1s|^/\* |/** @file\n * |
s|^\(typedef .*{\) */\* \(.*\) \*/$|/** \2 */ \1|
s|\([;,]\) */\* |\1 /**< |
s|\([A-Z0-9)]\) */\* \(.*\*/\)$|\1 /**< \2|
s|^/\* |/** |
s|^  /\* |  /** |
