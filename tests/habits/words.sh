#!/bin/sh
# What no file of the tree may hold: notes to oneself, absolute paths of one
# machine. usage: words.sh ROOT
set -eu
cd "$1"
pattern='\<(TODO|FIXME|XXX)\>|/home/|/root/|/work/'
found=$(find generator targets tuning runtime templates tests examples docs README.md CMakeLists.txt dev \
  -type f 2>/dev/null | grep -v '^tests/habits/words.sh$' | LC_ALL=C sort | xargs grep -EnI "$pattern" || true)
if [ -n "$found" ]; then
  printf '%s\n' "$found"
  exit 1
fi
echo "nothing that should not be there"
