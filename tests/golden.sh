#!/bin/sh
# Small emitted sources, as they are in golden/. usage: golden.sh FFTGEN [--update]
# With --update the folder is written again instead of compared.
set -eu
fftgen=$1
update=${2:-}
golden=$(dirname "$0")/golden
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
count=0
while IFS= read -r line; do
  case $line in '#'* | '') continue ;; esac
  name=${line%%:*}
  eval "set -- ${line#*:}"
  "$fftgen" emit "$@" --prefix "$name" -o "$dir" >/dev/null
  count=$((count + 1))
done <"$golden/list"
if [ "$update" = --update ]; then
  find "$golden" -type f ! -name list -delete
  cp "$dir"/* "$golden"
  echo "golden: wrote $(ls "$dir" | wc -l) files of $count problems"
  exit 0
fi
cp "$golden/list" "$dir"
diff -ru "$golden" "$dir" || {
  echo "emitted sources changed; if that is meant: ./dev golden"
  exit 1
}
echo "$count problems give the sources that are in golden/"
