/* Functions that load and store numbers in languages of launched kernels, translated to a field. In: a call. Out: an
 * access to memory, or its argument.
 *
 * The idea: a row says how many numbers move, and which arguments are the pointer and the value. Numbers of all
 * types in memory are elements of the field: conversions change nothing. */
#include "generator/prove/translate_kernels.h"
#include "generator/prove/translate_token.h"
#include "targets/ascii.h"
#include <string.h>

typedef enum what { LOADS, STORES, CONVERTS } what;

static const struct {
  const char *name; /* a * at its end: whatever follows */
  what what;
  int lanes;    /* that pass; 0: as many as the argument has */
  bool counted; /* a 0, how many are to be left out before them, precedes the pointer */
  bool first;   /* STORES: the value precedes the pointer */
} words[] = {
    {"vload", LOADS, 0, true, false},
    {"vstore", STORES, 0, true, true},
    {"pair_from_*", LOADS, 2, false, false},
    {"pair_to_*", STORES, 2, false, false},
    {"vload_half", LOADS, 1, true, false},
    {"vload_half2", LOADS, 2, true, false},
    {"vstore_half_rte", STORES, 1, true, true},
    {"vstore_half2_rte", STORES, 2, true, true},
    {"convert_*", CONVERTS, 0, false, false},
    {"fftgen_load_once", LOADS, 2, false, false},
    {"fftgen_load_256b", LOADS, 2, false, false},
    {"__ldcg", LOADS, 2, false, false},
    {"fftgen_store_evict_last", STORES, 2, false, false},
    {"__stcs", STORES, 2, false, false},
};
enum { VLOAD, VSTORE, ROWS = sizeof words / sizeof *words };

/* "vload8" and "vstore8": how many; 0: it is another word. */
static int lanes_of(const char *word, size_t length, const char *stem) {
  size_t n = strlen(stem);
  int lanes = 0;
  if (length <= n || length > n + 2 || strncmp(word, stem, n) != 0) return 0;
  for (size_t i = n; i < length; i++) lanes = fg_is_digit(word[i]) ? 10 * lanes + word[i] - '0' : 0;
  return lanes;
}

static int row_of(const char *word, size_t length) {
  if (lanes_of(word, length, "vload")) return VLOAD;
  if (lanes_of(word, length, "vstore")) return VSTORE;
  for (int i = 0; i < ROWS; i++) {
    size_t n = strlen(words[i].name), stem = words[i].name[n - 1] == '*' ? n - 1 : n;
    if (!strncmp(word, words[i].name, stem) && (stem < n ? length > stem : length == n)) return i;
  }
  return -1;
}

static fg_translate_type type_of(int lanes) {
  return lanes == 1 ? (fg_translate_type){.kind = FG_C_REAL} : (fg_translate_type){.kind = FG_C_VECTOR, .lanes = lanes};
}

static const char *pointer(fg_translator *t, int lanes) {
  fg_translate_value x = fg_translate_list_item(t);
  bool good = x.type.kind == FG_C_POINTER && (x.type.to == FG_C_REAL || x.type.to == FG_C_VECTOR);
  if (!good || (x.type.to == FG_C_VECTOR && x.type.lanes != lanes)) fg_translate_fail(t, "no pointer to numbers");
  return fg_arena_printf(t->cx->arena, "(*(%s *)(%s))", fg_translate_type_text(t, type_of(lanes)), x.text);
}

/* "as_float((uint)x << 16)": a number whose upper half is in memory. */
static fg_translate_value upper_half(fg_translator *t) {
  fg_translate_expect(t, "("), fg_translate_expect(t, "("), fg_translate_expect(t, "uint"), fg_translate_expect(t, ")");
  fg_translate_value x = fg_translate_unary(t);
  fg_translate_expect(t, "<<"), fg_translate_expect(t, "16"), fg_translate_expect(t, ")");
  return (fg_translate_value){.type = type_of(1), .text = fg_translate_convert(t, x, type_of(1))};
}

/* "packed_f16(a, b)" */
static fg_translate_value packed(fg_translator *t) {
  const fg_translate_type type = {.kind = FG_C_PAIR, .lanes = 2};
  const char *number[2];
  for (int i = 0; i < 2; i++) {
    fg_translate_expect(t, i ? "," : "(");
    number[i] = fg_translate_convert(t, fg_translate_list_item(t), type_of(1));
  }
  fg_translate_expect(t, ")");
  return (fg_translate_value){
      .type = type,
      .text = fg_arena_printf(t->cx->arena, "((%s){{%s, %s}})", fg_translate_type_text(t, type), number[0], number[1])};
}

static fg_translate_value converted(fg_translator *t) {
  fg_translate_value x = fg_translate_list_item(t);
  if (x.type.kind != FG_C_REAL && x.type.kind != FG_C_VECTOR) fg_translate_fail(t, "no number to convert");
  return x;
}

/* "fftgen_load_where(p, ok)": a number or a pair; zeros where the condition does not hold. */
static fg_translate_value load_where(fg_translator *t) {
  fg_translate_expect(t, "(");
  fg_translate_value at = fg_translate_list_item(t);
  fg_translate_expect(t, ",");
  const char *ok =
      fg_translate_convert(t, fg_translate_list_item(t), (fg_translate_type){.kind = FG_C_INDEX, .lanes = 8});
  fg_translate_expect(t, ")");
  bool pair = at.type.to == FG_C_VECTOR;
  if (at.type.kind != FG_C_POINTER || (!pair && at.type.to != FG_C_REAL)) fg_translate_fail(t, "no pointer to numbers");
  fg_translate_type type = type_of(pair ? at.type.lanes : 1);
  const char *name = fg_translate_type_text(t, type);
  const char *zeros = pair ? fg_arena_printf(t->cx->arena, "((%s){{0, 0}})", name) : "0";
  return (fg_translate_value){
      .type = type, .text = fg_arena_printf(t->cx->arena, "(%s ? *(%s *)(%s) : %s)", ok, name, at.text, zeros)};
}

bool fg_translate_launched_call(fg_translator *t, const char *word, size_t length, fg_translate_value *out) {
  static const char pack[] = "packed_", guarded[] = "fftgen_load_where";
  int i = row_of(word, length);
  if (length == strlen("as_float") && !strncmp(word, "as_float", length)) return *out = upper_half(t), true;
  if (length == strlen(guarded) && !strncmp(word, guarded, length)) return *out = load_where(t), true;
  if (length > strlen(pack) && !strncmp(word, pack, strlen(pack))) return *out = packed(t), true;
  if (i < 0) return false;
  const char *to = NULL, *value = NULL;
  fg_translate_expect(t, "(");
  if (words[i].what == CONVERTS) {
    *out = converted(t);
    fg_translate_expect(t, ")");
    return true;
  }
  int lanes = i == VLOAD    ? lanes_of(word, length, "vload")
              : i == VSTORE ? lanes_of(word, length, "vstore")
                            : words[i].lanes;
  fg_translate_type type = type_of(lanes);
  if (words[i].first) value = fg_translate_convert(t, fg_translate_list_item(t), type), fg_translate_expect(t, ",");
  if (words[i].counted) fg_translate_expect(t, "0"), fg_translate_expect(t, ",");
  to = pointer(t, lanes);
  if (words[i].what == STORES && !words[i].first)
    fg_translate_expect(t, ","), value = fg_translate_convert(t, fg_translate_list_item(t), type);
  fg_translate_expect(t, ")");
  *out = (fg_translate_value){.type = type, .text = to};
  if (!value) return true;
  *out = (fg_translate_value){.type = {.kind = FG_C_VOID}, .text = fg_arena_printf(t->cx->arena, "%s = %s", to, value)};
  return true;
}
