/* Products of matrices by a warp, in PTX. In: a shape. Out: the function whose body is `mma.sync`. Elements of a
 * fragment are numbers that are computed with; the function rounds them to those of the product. */
#include "targets/cuda/matrix.h"
#include <stdio.h>
#include <string.h>

static const struct {
  const char *type, *letter; /* PTX's type; the constraint of its register */
  int numbers;               /* of a register */
  const char *rounded;       /* function that makes the register of them; NULL: the number is it */
  const char *rounds;        /* that function */
} number[] = {
    [FG_MATRIX_F16] = {"f16", "r", 2, "fftgen_two_halves",
                       "static __device__ __forceinline__ unsigned fftgen_two_halves(float low, float high) {\n"
                       "  unsigned x;\n"
                       "  asm(\"cvt.rn.f16x2.f32 %0, %1, %2;\" : \"=r\"(x) : \"f\"(high), \"f\"(low));\n"
                       "  return x;\n}\n"},
    [FG_MATRIX_TF32] = {"tf32", "r", 1, "fftgen_tf32",
                        "static __device__ __forceinline__ unsigned fftgen_tf32(float x) {\n"
                        "  unsigned rounded;\n"
                        "  asm(\"cvt.rna.tf32.f32 %0, %1;\" : \"=r\"(rounded) : \"f\"(x));\n"
                        "  return rounded;\n}\n"},
    [FG_MATRIX_F32] = {"f32", "f", 1, NULL, ""},
    [FG_MATRIX_F64] = {"f64", "d", 1, NULL, ""},
};

typedef struct writing {
  char *text;
  size_t size, length;
} writing;

static void add(writing *w, const char *text) {
  size_t length = strlen(text);
  if (w->length + length < w->size) memcpy(w->text + w->length, text, length + 1);
  w->length += length;
}

static void add_number(writing *w, int n) {
  char text[16];
  snprintf(text, sizeof text, "%d", n);
  add(w, text);
}

static void add_all(writing *w, const char *const *text) {
  for (; *text; text++) add(w, *text);
}

static fg_matrix_number type_of(const fg_matrix_shape *s, fg_matrix_operand of) {
  return of == FG_MATRIX_C ? s->sum : s->factor;
}

static int registers(const fg_matrix_shape *s, fg_matrix_operand of) {
  return fg_matrix_elements(s, of) / number[type_of(s, of)].numbers;
}

/* "{%4, %5}", from register number `first` on; the number behind. */
static int list_registers(writing *w, const fg_matrix_shape *s, fg_matrix_operand of, int first) {
  int count = registers(s, of);
  for (int i = 0; i < count; i++) {
    add(w, i ? ", %" : "{%");
    add_number(w, first + i);
  }
  add(w, "}");
  return first + count;
}

/* The number or numbers of a register. */
static void add_elements(writing *w, const char *name, int first, int count) {
  for (int i = 0; i < count; i++) {
    add_all(w, (const char *const[]){i ? ", " : "", name, ".v[", NULL});
    add_number(w, first + i);
    add(w, "]");
  }
}

static void list_operands(writing *w, const fg_matrix_shape *s, fg_matrix_operand of, const char *name,
                          const char *sign) {
  fg_matrix_number type = type_of(s, of);
  const char *rounded = number[type].rounded;
  for (int i = 0; i < registers(s, of); i++) {
    add_all(w, (const char *const[]){i ? ", \"" : "\"", sign, number[type].letter, "\"(", rounded ? rounded : "",
                                     rounded ? "(" : "", NULL});
    add_elements(w, name, i * number[type].numbers, number[type].numbers);
    add(w, rounded ? "))" : ")");
  }
}

static void add_type(writing *w, const fg_matrix_shape *s, fg_matrix_operand of, const char *behind) {
  add(w, "fftgen_fragment");
  add_number(w, fg_matrix_elements(s, of));
  add(w, behind);
}

static void add_head(writing *w, const fg_matrix_shape *s) {
  add(w, "static __device__ __forceinline__ ");
  add_type(w, s, FG_MATRIX_C, " fftgen_mma_");
  add_all(w, (const char *const[]){s->name, "(const ", NULL});
  add_type(w, s, FG_MATRIX_A, " a, const ");
  add_type(w, s, FG_MATRIX_B, " b,\n    const ");
  add_type(w, s, FG_MATRIX_C, " c) {\n  ");
  add_type(w, s, FG_MATRIX_C, " d;\n");
}

static void add_instruction(writing *w, const fg_matrix_shape *s) {
  const char *sum = number[s->sum].type, *factor = number[s->factor].type;
  const char *const dimension[] = {"m", "n", "k"};
  const int size[] = {s->m, s->n, s->k};
  add(w, "  asm volatile(\"mma.sync.aligned.");
  for (int i = 0; i < 3; i++) add(w, dimension[i]), add_number(w, size[i]);
  add_all(w, (const char *const[]){".row.col.", sum, ".", factor, ".", factor, ".", sum, " ", NULL});
  int at = list_registers(w, s, FG_MATRIX_C, 0);
  for (int of = 0; of < FG_MATRIX_OPERANDS; of++) {
    add(w, ", ");
    at = list_registers(w, s, (fg_matrix_operand)of, at);
  }
}

static int function_text(const fg_matrix_shape *s, char *text, size_t size) {
  static const char *const names[] = {"a", "b", "c"};
  writing w = {.text = text, .size = size};
  add(&w, number[s->factor].rounds);
  add_head(&w, s);
  add_instruction(&w, s);
  add(&w, ";\"\n               : ");
  list_operands(&w, s, FG_MATRIX_C, "d", "=");
  for (int of = 0; of < FG_MATRIX_OPERANDS; of++) {
    add(&w, of ? ", " : "\n               : ");
    list_operands(&w, s, (fg_matrix_operand)of, names[of], "");
  }
  add(&w, ");\n  return d;\n}\n");
  return (int)w.length;
}

const fg_matrix_form fg_cuda_matrix = {
    .type = "fftgen_fragment%N",
    .declare = "struct fftgen_fragment%N {\n  %T v[%N];\n};\n",
    .make = "fftgen_fragment%N{%i}",
    .element = "%v.v[%i]",
    .product = "fftgen_mma_%v(%a, %b, %c)",
    .function = function_text,
};
