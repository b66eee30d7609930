#!/bin/sh
# What a reader meets at once is small: a header has at most 150 lines and 12 prototypes (public ones, in
# runtime/include/, as many prototypes as they need; FFTW's in fftw/include/ is as long as that is), a source file at most 600 lines, a function at most 60, and half of
# all functions at most 10. Figures of .def files are data, and not counted.
#
# usage: shape.sh ROOT
set -eu
root=$1
longest=${SHAPE_FUNCTION:-60} median=${SHAPE_MEDIAN:-10}

# In: names of files, read from ROOT. Out: "FILE lines N", "FILE prototypes N", "FILE:LINE function N".
measure() { # root
  (cd "$1" && find generator runtime tuning targets fftw python -name '*.[ch]' | LC_ALL=C sort | LC_ALL=C xargs awk '
    function strip(line,    i, j) { # comments, texts and characters
      if (inside) { if (!(i = index(line, "*/"))) return ""; line = substr(line, i + 2); inside = 0 }
      gsub(/\\./, "", line); gsub(/\047[^\047]*\047/, "0", line)
      while (match(line, /"[^"]*"|\/\*/)) {
        if (substr(line, RSTART, 1) == "\"") { line = substr(line, 1, RSTART - 1) "T" substr(line, RSTART + RLENGTH); continue }
        j = index(substr(line, RSTART), "*/")
        if (!j) { inside = 1; return substr(line, 1, RSTART - 1) }
        line = substr(line, 1, RSTART - 1) " " substr(line, RSTART + j + 1)
      }
      return line
    }
    function statement(text) { # one at the top of a file, without what is inside its brackets
      if (text ~ /^ *typedef/ || text !~ /\(/ || text ~ /\( *\*/ || text ~ /_Static_assert/) return
      if (text ~ /^[^(]*=/) return
      prototypes++
    }
    function leave() {
      if (file == "") return
      print file, "lines", lines
      if (file ~ /\.h$/) print file, "prototypes", prototypes
    }
    FNR == 1 { leave(); file = FILENAME; inside = depth = macro = prototypes = 0; head = "" }
    {
      lines = FNR
      line = strip($0)
      if (macro || line ~ /^ *#/) { macro = line ~ /\\$/ || $0 ~ /\\$/; next }
      count = length(line)
      for (i = 1; i <= count; i++) {
        c = substr(line, i, 1)
        if (c == "{") {
          if (depth++ == 0) { begin = start ? start : FNR; is_function = head ~ /\)[^=]*$/ && head !~ /=/ && head !~ /^ *(typedef|enum|struct|union|extern T)/; if (head ~ /^ *extern T/) depth = 0 }
        } else if (c == "}") {
          if (depth > 0 && --depth == 0 && is_function) { print file ":" begin, "function", FNR - begin + 1; head = ""; start = 0 }
        } else if (depth == 0) {
          if (c == ";") { if (file ~ /\.h$/) statement(head); head = ""; start = 0 }
          else { if (!start && c != " ") start = FNR; head = head c }
        }
      }
      if (depth == 0) head = head " "
    }
    END { leave() }')
}

# In: what measure() says. Out: what is too large.
judge() {
  awk -v longest="$longest" -v median="$median" '
    $2 == "lines" && $1 ~ /\.h$/ && $1 !~ /^fftw\/include\// && $3 > 150 { print $1 ": " $3 " lines, a header has at most 150" }
    $2 == "lines" && $1 ~ /\.c$/ && $3 > 600 { print $1 ": " $3 " lines, a file has at most 600" }
    $2 == "prototypes" && $1 !~ /^(runtime|fftw)\/include\// && $3 > 12 { print $1 ": " $3 " prototypes, a header has at most 12" }
    $2 == "function" { count[$3]++; all++; if ($3 > longest) print $1 ": a function of " $3 " lines, the longest has " longest }
    END {
      for (n = 0; all && 2 * below < all; n++) below += count[n]
      if (n - 1 > median) print "functions: half of them have more than " n - 2 " lines, of " median " allowed"
    }'
}

probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
mkdir -p "$probe/generator" "$probe/runtime/include" "$probe/tuning" "$probe/targets" "$probe/fftw" "$probe/python"
many() { # how many, format
  i=0
  while [ $i -lt "$1" ]; do
    # shellcheck disable=SC2059
    printf "$2" $i
    i=$((i + 1))
  done
}
{ many 12 'int f%d(void); /* g(); */\n'; echo 'static inline int h(int (*x)(int)) { return x(1); }
typedef int (*call)(int);
struct s { int (*member)(void); };
enum { A = (1) };'; } >"$probe/generator/twelve.h"
many 13 'int f%d(int a,\n  int b) __attribute__((pure));\n' >"$probe/targets/thirteen.h"
many 20 'int f%d(void);\n' >"$probe/runtime/include/public.h"
many 151 '/* %d */\n' >"$probe/tuning/long.h"
{ echo 'static const char *const text[] = {"{", "}"};
int f(int x) {'; many 59 '  x += %d; // {\n' | sed 's! // {! /* { */!'; echo '}'; } >"$probe/generator/long.c"
{ echo 'int g(int x) {'; many 58 '  x += %d;\n'; echo '}'; many 4 'int s%d(void) { return 1; }\n'; } >"$probe/generator/short.c"
many 601 '/* %d */\n' >"$probe/generator/file.c"
seen=$(measure "$probe" | judge | sed 's/:.*//' | tr '\n' ' ')
if [ "$seen" != 'generator/file.c generator/long.c targets/thirteen.h tuning/long.h ' ]; then
  echo "the check itself is broken: of what was planted it saw: $seen"
  measure "$probe" | judge
  exit 1
fi

measure "$root" >"$probe/sizes"
judge <"$probe/sizes" >"$probe/found"
if [ -s "$probe/found" ]; then
  cat "$probe/found"
  exit 1
fi
awk '$2 == "function" { n++; if ($3 > most) most = $3 } $2 == "lines" && $1 ~ /\.h$/ { h++ }
     END { print n " functions, the longest of " most " lines; " h " headers" }' "$probe/sizes"
