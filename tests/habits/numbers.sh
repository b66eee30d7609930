#!/bin/sh
# Numbers and characters as text are the same in every locale: floating-point
# numbers are printed and read by targets/number.[ch], characters are told apart by
# targets/ascii.h. Fails with FILE:LINE for printf and its kin with a format of
# floating point (or one that is not seen), strtod, atof, scanf, ctype.h, collation
# and setlocale elsewhere. usage: numbers.sh ROOT
set -eu
root=$1

# Of a tree: its breaches. Programs of their own under contender/ are left out.
breaches() { # root
  (cd "$1" && find generator targets runtime tuning fftw -name '*.[ch]' 2>/dev/null | grep -v '^tuning/contender/' |
    grep -v '^targets/number\.[ch]$' | LC_ALL=C sort | LC_ALL=C xargs awk '
    function strip(line,    i, j) { # comments, which may span lines
      if (inside) { if (!(i = index(line, "*/"))) return ""; line = substr(line, i + 2); inside = 0 }
      while (i = index(line, "/*")) {
        j = index(substr(line, i + 2), "*/")
        if (!j) { inside = 1; return substr(line, 1, i - 1) }
        line = substr(line, 1, i - 1) " " substr(line, i + j + 3)
      }
      return line
    }
    function depth(text,    open, close_) { # of parentheses, texts left out
      gsub(/\\./, "", text); gsub(/"[^"]*"/, "", text); gsub(/\047[^\047]*\047/, "", text)
      open = gsub(/\(/, "", text); close_ = gsub(/\)/, "", text)
      return open - close_
    }
    function literals(text,    all) {
      gsub(/\\./, "", text)
      while (match(text, /"[^"]*"/)) {
        all = all substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
      }
      gsub(/%%/, "", all)
      return all
    }
    function judge() { # a call that is whole
      if (call !~ /"/ && call !~ /FG_LLVM_TABLE_NAME/ && call !~ /names->text/) print where "a format that is not seen: " first
      else if (literals(call) ~ /%[-+ #0\047]*[0-9*]*(\.[0-9*]*)?[lL]?[aAeEfFgG]/) print where "printf of floating point: " first
      call = ""
    }
    FNR == 1 { inside = 0; call = "" }
    {
      line = strip($0)
      here = FILENAME ":" FNR ": "
      if (line ~ /(^|[^A-Za-z0-9_])(strto(d|f|ld)(_l)?|ato(f|l?d)|localeconv|setlocale|newlocale|uselocale|strn?casecmp|strcoll|strxfrm|strftime) *\(/ ||
          line ~ /(^|[^A-Za-z0-9_])(is(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)|to(lower|upper)) *\(/ ||
          line ~ /<ctype\.h>/ || line ~ /(^|[^A-Za-z0-9_])(v[a-z]*|as|vas)?n?printf_l *\(/ ||
          line ~ /(^|[^A-Za-z0-9_])v(s|sn|f|d|as)?printf *\(/) print here "of the locale: " line
      if (line ~ /cJSON_(Print|Parse)[A-Za-z]* *\(/ && FILENAME !~ /^(tuning\/report\/json|generator\/prove\/manifest)\.c$/) print here "cJSON reads and prints in the locale: " line
      if (call != "") call = call line
      else if (match(line, /(^|[^A-Za-z0-9_])(s|sn|f|d|as)?(printf|scanf) *\(/)) {
        call = substr(line, RSTART); sub(/^[^a-z]/, "", call); first = line; where = here
        if (line ~ /scanf *\(/ && line ~ /%[0-9*]*[lL]?[aAeEfFgG]/) print here "scanf of floating point: " line
      }
      if (call != "" && depth(call) <= 0) judge()
    }')
}

probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
mkdir -p "$probe/generator" "$probe/targets"
cat >"$probe/generator/a.c" <<'END'
  snprintf(text, size, "%.*g", 17, x);
  printf("%s %d\n", "100 %% of it, %f",
         1);
  double y = strtod(text, NULL); /* setlocale( */
  printf("%s %lld %5.1a\n", name,
         n, x);
  snprintf(text, size, "%d %s %x %%g", 1, "a", 3);
  /* printf("%f")
     atof( */
  vsnprintf(text, size, format, args);
  if (isalpha(c)) fg_number_print(text, size, "%g", x);
  sscanf(text, "%lf", &x);
  snprintf(text, size, format, x);
END
echo '  printf("%f", x); strtod(x, NULL);' >"$probe/targets/number.c"
seen=$(breaches "$probe" | sed 's/^[^:]*:\([0-9]*\):.*/\1/' | sort -nu | tr '\n' ' ')
if [ "$seen" != '1 2 4 5 10 11 12 13 ' ]; then
  echo "the check itself is broken: of the planted breaches it saw lines $seen"
  breaches "$probe"
  exit 1
fi

found=$(breaches "$root")
if [ -n "$found" ]; then
  printf '%s\n' "$found"
  exit 1
fi
echo "numbers are printed and read in no locale"
