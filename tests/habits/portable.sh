#!/bin/sh
# One kernel for all targets: lines that name a target of launched kernels, outside
# dialects and devices. None may be in recipes and templates, or in the generator's
# own files. usage: portable.sh FOLDER
set -u
cd "$1" || exit 2
# The names, and what is written in such a language alone.
opencl='opencl|OpenCL|__global |__local |get_(local|global|group)_id|[^a-z]cl[A-Z][a-z]+[A-Z(]|cl_(mem|int|kernel)'
hip='[^a-z]hip[^a-z]|[^a-z]HIP[^a-z]|amdgcn|hip[A-Z][a-z]+[A-Z(]|gfx[0-9]'
bad=0
lines() { # WHAT PATTERN FILE...: prints how many lines of code, comments left out, match
  what=$1 pattern=$2
  shift 2
  # shellcheck disable=SC2016
  hits=$(awk -v p="$pattern" '
    FNR == 1 { inside = 0 }
    { line = $0 }
    FILENAME ~ /\.lua$/ { sub(/--.*/, "", line) }
    FILENAME !~ /\.lua$/ {
      if (inside) { if (i = index(line, "*/")) { line = substr(line, i + 2); inside = 0 } else next }
      while (i = index(line, "/*")) {
        rest = substr(line, i + 2)
        if (j = index(rest, "*/")) line = substr(line, 1, i - 1) substr(rest, j + 2)
        else { line = substr(line, 1, i - 1); inside = 1; break }
      }
    }
    (" " line " ") ~ p { print FILENAME ":" FNR ": " $0 }' "$@")
  number=$(printf '%s' "$hits" | grep -c .)
  printf '%-34s %d\n' "$what" "$number"
  [ "$number" = 0 ] && return
  bad=1
  printf '%s\n' "$hits"
}
generator=$(find generator -name "*.[hc]" ! -path "generator/cli/*" ! -name main.c)
# shellcheck disable=SC2086
{
  lines 'OpenCL only, recipes' "$opencl" generator/recipes/*.lua
  lines 'OpenCL only, templates' "$opencl" templates/*.tmpl
  lines 'OpenCL only, generator' "$opencl" $generator
  lines 'HIP only, recipes' "$hip" generator/recipes/*.lua
  lines 'HIP only, templates' "$hip" templates/*.tmpl
  lines 'HIP only, generator' "$hip" $generator
}
exit $bad
