/* Names that users give: every word that emitted texts have at file scope, and every
 * macro that compilers and headers define, is refused as a prefix. */
#include "generator/pipeline/pipeline.h"
#include "generator/print/names.h"
#include "tests/unit/fixture.h"
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static fg_status check(const char *name) {
  context.diag = (fg_diag){0};
  return fg_names_check(&context, fg_dialect_find("c"), "prefix", name);
}

static void refused(void **state) {
  (void)state;
  static const char *const row[][2] = {
      {"vec8", "emitted text"},
      {"vec16_f32_at", "emitted text"},
      {"tw0", "emitted text"},
      {"to_f16", "emitted text"},
      {"in_re", "emitted text"},
      {"p_count", "emitted text"},
      {"arguments", "emitted text"},
      {"linux", "compilers or headers"},
      {"NULL", "those of macros"},
      {"M_PIf", "compilers or headers"},
      {"stddef", "header"},
      {"Math", "header"},
      {"sinl", "C library"},
      {"memcpy", "C library"},
      {"j0", "C library"},
      {"size_t", "end in _t"},
      {"_x", "underscores"},
      {"a__b", "underscores"},
      {"restrict", "keeps this name"},
      {"co_await", "keeps this name"},
      {"std", "compilers or headers"},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    if (check(row[i][0]) != FG_EUSER) fail_msg("%s is taken", row[i][0]);
    const char *said = context.diag.message;
    if (!strstr(said, row[i][0]) || !strstr(said, row[i][1])) fail_msg("%s: %s", row[i][0], said);
  }
}

static void taken(void **state) {
  (void)state;
  static const char *const row[] = {"p",      "q",       "x",    "k",    "fft8", "spectrum", "kernel",
                                    "t0",     "vector8", "tw",   "dsp1", "one",  "window",   "FFt",
                                    "my_tw0", "vec",     "sums", "sine", "in2"};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    if (check(row[i]) != FG_OK) fail_msg("%s: %s", row[i], context.diag.message);
}

/* ---- what emitted texts have ------------------------------------------------------ */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static const char *behind_line(const char *at) {
  at += strcspn(at, "\n");
  return at + (*at == '\n');
}

/* Words outside braces and parentheses, comments, texts and the preprocessor's lines. */
static int check_file_scope(const char *text, const char *prefix) {
  int depth = 0, words = 0;
  for (const char *at = text; *at;) {
    if (!strncmp(at, "/*", 2)) {
      at = strstr(at, "*/") + 2;
    } else if (*at == '#' && (at == text || at[-1] == '\n')) {
      at = behind_line(at);
    } else if (*at == '"') {
      at += strcspn(at + 1, "\"") + 2;
    } else if (is_word(*at)) {
      size_t length = 0;
      while (is_word(at[length])) length++;
      char *word = fg_arena_printf(context.arena, "%.*s", (int)length, at);
      if (!depth && !isdigit((unsigned char)*at) && strncmp(word, prefix, strlen(prefix)) != 0) {
        words++;
        if (check(word) == FG_OK) fail_msg("%s is declared at file scope, and is taken as a prefix", word);
      }
      at += length;
    } else {
      depth += *at == '{' || *at == '(';
      depth -= *at == '}' || *at == ')';
      at++;
    }
  }
  assert_int_equal(depth, 0);
  return words;
}

static void texts(void **state) {
  (void)state;
  static const char *const problem[] = {
      "c2c f32 n=60",
      "c2c f64 n=1009",
      "c2c f32 n=211 batch=4",
      "r2c f64 n=99 load=i16,window(hann) store=mag",
      "c2c f16 n=64 batch=8",
      "c2c bf16 n=64 compute=f64",
      "dct2 f32 n=36 batch=count[1..9]",
      "r2c f32 n=128 load=u8 store=logmag",
      "c2c f32 n=8x12 place=in layout=split",
      "c2c f32 n=719",
  };
  static const char *const isa[] = {"scalar", "avx2", "avx512", "neon"};
  int words = 0;
  for (size_t i = 0; i < sizeof problem / sizeof *problem; i++)
    for (size_t j = 0; j < sizeof isa / sizeof *isa; j++) {
      fg_request r = {.problem = problem[i], .target = "c", .isa = isa[j], .prefix = "q_q", .entry = true};
      fg_compilation c;
      if (fg_pipeline_parse(&context, &r, &c) != FG_OK || fg_pipeline_decide(&c) != FG_OK ||
          fg_pipeline_emit(&c) != FG_OK)
        fail_msg("%s: %s", problem[i], context.diag.message);
      words += check_file_scope(c.emitted.file[0].text, "q_q");
    }
  assert_true(words > 1000);
}

/* ---- what compilers and headers define ---------------------------------------------- */

static int check_macros(const char *compiler) {
  char command[256], line[4096];
  snprintf(command, sizeof command,
           "printf '#include <stddef.h>\\n#include <math.h>\\n#include <float.h>\\n#include <stdio.h>\\n"
           "#include <stdlib.h>\\n' | %s -dM -E - 2>/dev/null",
           compiler);
  FILE *pipe = popen(command, "r");
  int macros = 0;
  assert_non_null(pipe);
  while (fgets(line, sizeof line, pipe)) {
    char name[128];
    if (sscanf(line, "#define %127[A-Za-z0-9_]", name) != 1) continue;
    macros++;
    if (check(name) == FG_OK) fail_msg("%s: %s is a macro, and is taken as a prefix", compiler, name);
  }
  pclose(pipe);
  return macros;
}

static void macros(void **state) {
  (void)state;
  static const char *const compiler[] = {"gcc -x c -std=gnu11",      "g++ -x c++ -std=gnu++17",
                                         "clang -x c -std=gnu11",    "clang++ -x c++ -std=gnu++17",
                                         "gcc -m32 -x c -std=gnu89", "aarch64-linux-gnu-gcc -x c -std=gnu11"};
  int all = 0;
  for (size_t i = 0; i < sizeof compiler / sizeof *compiler; i++) {
    int n = check_macros(compiler[i]);
    if (!n) print_message("SKIP: no %s here\n", compiler[i]);
    all += n;
  }
  if (!all) skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(refused, setup, teardown),
      cmocka_unit_test_setup_teardown(taken, setup, teardown),
      cmocka_unit_test_setup_teardown(texts, setup, teardown),
      cmocka_unit_test_setup_teardown(macros, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
