#!/bin/sh
# Runs a test in a locale: makes the locale where it is not yet, says by
# FFTGEN_TEST_LOCALE that hook.c is to choose it, and preloads the hook where it is
# given. usage: in.sh FOLDER LANGUAGE CHARSET HOOK|- COMMAND [ARGUMENT...]
set -eu
folder=$1 language=$2 charset=$3 hook=$4
shift 4
name=$language.$charset
if [ ! -d "$folder/$name" ]; then
  command -v localedef >/dev/null || { echo "SKIP: no localedef here to make $name"; exit 77; }
  for i18n in "${I18NPATH:-}" /usr/share/i18n /usr/local/share/i18n; do
    [ -n "$i18n" ] && [ -f "$i18n/locales/$language" ] && break
  done || { echo "SKIP: no definition of $language here to make $name (package locales)"; exit 77; }
  mkdir -p "$folder"
  made=$(mktemp -d "$folder/made.XXXXXX")
  localedef -i "$language" -f "$charset" "$made/$name" || { rm -rf "$made"; echo "SKIP: localedef cannot make $name"; exit 77; }
  mv -T "$made/$name" "$folder/$name" 2>/dev/null || [ -d "$folder/$name" ] # another test was first
  rm -rf "$made"
fi
export LOCPATH="$folder" FFTGEN_TEST_LOCALE="$name"
[ "$hook" = - ] || export LD_PRELOAD="$hook"
exec "$@"
