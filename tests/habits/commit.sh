#!/bin/sh
# The check of commit messages says yes to those of the conventions and no to others, and
# `./dev hooks` puts it where git asks it. usage: commit.sh ROOT
set -u
root=$(cd "$1" && pwd)
command -v git >/dev/null 2>&1 || { echo 'SKIP: no git'; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0 count=0
git init -q "$dir/tree" && cd "$dir/tree" || exit 1
git config user.name somebody
git config user.email somebody@example.org
mkdir -p tests/habits generator docs
cp "$root/dev" .
cp "$root/tests/habits/commit_message.sh" tests/habits/
./dev hooks >"$dir/said" || { echo "FAIL: ./dev hooks: $(cat "$dir/said")"; bad=1; }

# yes|no FILE MESSAGE: a commit that changes FILE
try() {
  count=$((count + 1))
  echo $count >"$2"
  git add "$2"
  printf '%b' "$3" >"$dir/message"
  if git commit -q -F "$dir/message" 2>"$dir/complaint"; then verdict=yes; else verdict=no; fi
  [ $verdict = "$1" ] || { bad=$((bad + 1)); echo "FAIL: $verdict for '$3': $(cat "$dir/complaint")"; }
  git reset -q
}
long=$(printf 'x%.0s' $(seq 70))
try yes docs/a 'locale: print numbers without the C library'
try yes docs/a 'docs, tests: follow every link\n\nSome led nowhere.\n'
try yes docs/a 'merge: signed packs'
try yes docs/a 'wisdom: need no lock to read'
try yes docs/a 'emit: process rows in turn'
try yes generator/a.c 'simplify: fold x*1 before CSE\n\nIt hid 3 % of the nodes from sharing.\n'
try no generator/a.c 'simplify: fold x*1 before CSE'
try no generator/a.c 'simplify: fold x*1 before CSE\n\n\nSigned-off-by: somebody\n'
try no docs/a "docs: $long"
try no docs/a 'print numbers without the C library'
try no docs/a 'locale: printed numbers without the C library'
try no docs/a 'locale: prints numbers without the C library'
try no docs/a 'locale: printing numbers without the C library'
try no docs/a 'locale: the numbers are printed without the C library'
try no docs/a 'locale: print numbers without the C library.'
try no docs/a 'locale: print numbers\nwithout the C library\n'
try no generator/a.c 'emit: mix rows\n\nThis is much faster.\n'
try yes generator/a.c 'emit: mix rows\n\nThis is 7 % faster (Zen 4, 40 problems).\n'
echo "$count messages, $bad failures"
[ $bad = 0 ]
