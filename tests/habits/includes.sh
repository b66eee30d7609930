#!/bin/sh
# Who may include whom. usage: includes.sh ROOT
# A rule is a folder and what its files may not include; the check is first shown
# one breach of every rule, so that it cannot pass by finding nothing.
set -eu
root=$1

# FOLDER, FORBIDDEN paths, paths ALLOWED all the same, files that are FREE of the
# rule; extended regular expressions, ^$ and - = none. The runtime has the parser of
# problems in it, what writes files whole, and no more of the generator; of the targets the declarations of
# drivers, what those say of a device and what is known of machines, features of CPUs, folders, how libraries are opened, what the environment may decide, numbers and
# characters as text. Plans that are kept are in one kind of table (generator/base/recent.h).
rules='
targets   ^(generator|tuning|tests|examples)/|^runtime/[^i]          ^$      -
generator ^(tuning|tests|examples|generator/cli)/|^runtime/[^i]      ^$      ^generator/(main\.c|cli/)
runtime   ^(generator|tuning|tests|examples)/|^targets/([^d]|d[^e])  PARSER  -
tuning    ^(generator/cli|tests|examples)/                           ^$      -
fftw      ^(generator|runtime|tuning|tests|examples)/|^targets/      ^targets/env\.h$|^runtime/include/|^generator/base/recent\.h$ -
python    ^(generator|runtime|targets|tuning|tests|examples)/|^fftw/  ^fftw/engine/engine\.h$|^runtime/(include/|plan/mirror\.h$)|^generator/base/recent\.h$ -
examples  ^(generator|targets|tuning|tests)/|^runtime/[^i]           ^$      -
'
rules=$(printf '%s' "$rules" | sed 's!PARSER!^generator/(problem/[a-z]*|base/(strbuf|text_match|context|arena|diag|atomic_file|invariant|recent))\\.h$|^targets/(ascii|cpu|env|folder|library|machine/machine|number|pages|timing|cuda/(driver_api|facts)|opencl/(cl_api|facts))\\.h$!')

# Prints breaches as FILE: includes PATH; nothing when there are none.
breaches() { # root
  printf '%s\n' "$rules" | while read -r folder forbidden allowed free; do
    [ -n "$folder" ] && [ -d "$1/$folder" ] || continue
    (cd "$1" && find "$folder" -name '*.[ch]' | LC_ALL=C sort | forbidden=$forbidden allowed=$allowed free=$free xargs awk '
      FNR == 1 { skip = ENVIRON["free"] != "-" && FILENAME ~ ENVIRON["free"] }
      !skip && match($0, /^[ \t]*#[ \t]*include[ \t]*"[^"]*"/) {
        path = substr($0, RSTART, RLENGTH - 1)
        sub(/^[^"]*"/, "", path)
        if (path !~ ENVIRON["allowed"] && path ~ ENVIRON["forbidden"]) print FILENAME ": includes " path
      }')
  done
}

plant() { mkdir -p "$probe/$(dirname "$1")" && printf '#include "%s"\n' "$2" >>"$probe/$1"; }

probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
plant targets/a.c generator/plan/plan.h
plant generator/b.c tuning/measure/verify.h
plant generator/c.c runtime/exec.h
plant generator/d.c generator/cli/cli.h
plant generator/main.c tuning/measure/verify.h # allowed
plant generator/e.c targets/device.h   # allowed
plant runtime/f.c generator/plan/plan.h
plant runtime/g.c targets/dialect.h
plant runtime/l.c targets/cuda/driver_api.h # allowed
plant runtime/m.c targets/cuda/nvrtc_api.h
plant runtime/h.c targets/device.h    # allowed
plant runtime/k.c generator/problem/problem.h # allowed
plant tuning/i.c generator/cli/cli.h
plant examples/x/j.c generator/plan/plan.h
plant fftw/n.c targets/env.h # allowed
plant fftw/o.c targets/cpu.h
plant fftw/p.c runtime/include/fftgen/fftgen.h # allowed
plant fftw/q.c runtime/plan/exec.h
plant python/r.c fftw/engine/engine.h # allowed
plant python/s.c fftw/sweep/transform.h
plant python/t.c runtime/include/fftgen/cuda.h # allowed
plant python/u.c runtime/plan/exec.h
seen=$(breaches "$probe" | sed 's/:.*//' | sort | tr '\n' ' ')
expected='examples/x/j.c fftw/o.c fftw/q.c generator/b.c generator/c.c generator/d.c python/s.c python/u.c runtime/f.c runtime/g.c runtime/m.c targets/a.c tuning/i.c '
if [ "$seen" != "$expected" ]; then
  echo "the check itself is broken: of the planted breaches it saw: $seen"
  exit 1
fi

found=$(breaches "$root")
if [ -n "$found" ]; then
  printf '%s\n' "$found"
  exit 1
fi
echo "include directions hold"
