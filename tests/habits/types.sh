#!/bin/sh
# What a program, a kernel, a stage and a buffer say is what all devices read: each type has at most 14 fields, and one
# truth alone, fg_stage.few. What one class of devices reads is in a struct of its own (docs/architecture.md).
#
# usage: types.sh ROOT
set -eu

# In: a header. Out: "TYPE fields N", "TYPE bool NAME" of the structs of that name.
fields() { # type file
  awk -v type="$1" '
    { gsub(/\/\*[^*]*\*\//, ""); if (comment) { if (!sub(/.*\*\//, "")) next; comment = 0 } if (sub(/\/\*.*/, "")) comment = 1 }
    $0 ~ "^(typedef )?struct " type " [{]" { inside = 1; next }
    inside && /^}/ { print type, "fields", count; exit }
    !inside { next }
    /[{]/ { depth++ }
    /[}]/ { depth-- }
    depth == 0 && /;/ {
      if (match($0, /^ *bool /)) { name = $0; sub(/^ *bool */, "", name); sub(/;.*/, "", name); print type, "bool", name }
      count += gsub(/,/, ",") + 1
    }' "$2"
}

judge() { awk '$2 == "fields" && $3 > 14 { print $1 ": " $3 " fields, of 14" }
               $2 == "bool" && $1 "." $3 != "fg_stage.few" { print $1 "." $3 ": a truth; is it read for all devices?" }'; }

probe=$(mktemp)
trap 'rm -f "$probe"' EXIT
{
  printf 'typedef struct fg_probe { /* a\ncomment; of two lines */\n'
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do echo "  int f$i; /* x; */"; done
  printf '  struct {\n    int a, b;\n  } used;\n  bool far;\n} fg_probe;\n'
} >"$probe"
seen=$(fields fg_probe "$probe" | judge)
[ "$seen" = 'fg_probe.far: a truth; is it read for all devices?
fg_probe: 15 fields, of 14' ] || { echo "the check itself is broken: it saw '$seen'"; exit 1; }

types='fg_program:program fg_kernel:kernel fg_stage:stage fg_buffer:buffer'
all=$(for t in $types; do fields "${t%:*}" "$1/generator/ir/${t#*:}.h"; done)
[ "$(echo "$all" | grep -c fields)" = 4 ] || { echo "not all types were found: $all"; exit 1; }
bad=$(echo "$all" | judge)
[ -z "$bad" ] || { echo "$bad"; exit 1; }
echo "$all" | grep fields
