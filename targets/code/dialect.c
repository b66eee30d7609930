/* The dialects of instructions (targets/code.h): of floating point, and of prime
 * fields for the proof. Nothing is spelled; vectors are of any power of two. */
#include "targets/c_family.h"
#include "targets/code.h"
#include "targets/storage.h"

/* Widths that can be stored past the caches, as in C. */
static const fg_stream_row streams[] = {
    {"float", 4, ""},  {"float", 8, ""},  {"float", 16, ""}, {"double", 2, ""},
    {"double", 4, ""}, {"double", 8, ""}, {NULL, 0, NULL},
};

/* Conversions are loads' and stores' own. */
#define ROW(stored_as, name)                                                                                           \
  { .stored = stored_as, .type = name, .vload = "", .vstore = "" }
static const fg_storage_row storage[] = {
    ROW(FG_STORED_F16, "f16"), ROW(FG_STORED_BF16, "bf16"), ROW(FG_STORED_F32, "f32"),
    ROW(FG_STORED_U8, "u8"),   ROW(FG_STORED_I16, "i16"),   {0},
};

#define SHARED                                                                                                         \
  .index_type = "index", .lookup_type = "int32", .preamble = "", .exact_preamble = "", .restrict_word = "",            \
  .stage_restrict_word = "", .global_space = "", .local_space = "", .tables = FG_TABLES_DATA, .is_code = true,         \
  .vector.possible = true, .vector.stream_fence = "", .fetch = "",                                                     \
  .call = {[FG_CALL_SQRT] = "", [FG_CALL_LOG10] = "", [FG_CALL_LOG] = "", [FG_CALL_EXP] = "",                          \
           [FG_CALL_ABS] = "",  [FG_CALL_MIN] = "",   [FG_CALL_MAX] = "", [FG_CALL_DIVIDE] = ""},                      \
  .vector.join = "", .vector.piece = ""

const fg_dialect fg_dialect_code = {
    .name = "code",
    .extension = ".code",
    .note = "Instructions for a code generator: a listing, nothing to compile.",
    .real = {NULL, NULL, "float", "double"},
    .literal_suffix = {"", "", "", ""},
    .storage = storage,
    .vector.stream = streams,
    SHARED,
};

const fg_dialect fg_dialect_code_gf = {
    .name = "code-gf",
    .extension = ".gf.code",
    .note = "The same over a prime field: for the proof of instructions.",
    .real = {NULL, NULL, "float", "double"},
    .literal_suffix = {"", "", "", ""},
    .field_literals = true,
    .vector.stream = streams,
    .iteration = "",
    .stage = "",
    SHARED,
};

#define CODE(NAME, text, meaning) [FG_CODE_##NAME] = text,
static const char *const names[] = {
#include "targets/code.def"
};
#undef CODE

const char *fg_code_op_name(fg_code_op op) { return op < FG_CODE_COUNT ? names[op] : "?"; }

bool fg_code_is_bracket(fg_code_op op) {
  return op == FG_CODE_LOOP || op == FG_CODE_IF || op == FG_CODE_STEP || op == FG_CODE_PART || op == FG_CODE_BLOCK;
}

bool fg_code_is_statement(fg_code_op op) {
  bool acts = op == FG_CODE_STORE || op == FG_CODE_STREAM || op == FG_CODE_FETCH || op == FG_CODE_FENCE;
  return acts || op >= FG_CODE_VARIABLE;
}
