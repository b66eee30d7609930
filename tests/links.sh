#!/bin/sh
# Every link of a page leads to a file of the project, and to a heading of it where it
# names one; the lab's raw data are compressed, 2 MB at most, and each file is linked.
# usage: links.sh ROOT
set -u
cd "$1" || exit 2
pages=$(git ls-files --cached --others --exclude-standard -- '*.md' 2>/dev/null) ||
  pages=$(find . -name '*.md' -not -path './build*' | sed 's|^\./||')
[ -n "$pages" ] || pages=$(find . -name '*.md' -not -path './build*' | sed 's|^\./||')
pages=$(for page in $pages; do [ ! -f "$page" ] || echo "$page"; done)
bad=0 count=0
fail() { bad=$((bad + 1)); echo "FAIL: $*"; }

# Headings as links name them: small letters, blanks become -, other marks are removed.
anchors() { # page
  sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g'
}
for page in $pages; do
  folder=$(dirname "$page")
  for link in $(sed 's/`[^`]*`//g' "$page" | grep -o '\](\([^) ]*\))' | sed 's/^](//; s/)$//'); do
    case $link in http:* | https:* | mailto:*) continue ;; esac
    count=$((count + 1))
    file=${link%%#*} heading=''
    case $link in *'#'*) heading=${link#*#} ;; esac
    target=$folder/$file
    [ -n "$file" ] || target=$page
    if [ ! -e "$target" ]; then fail "$page: no $link"; continue; fi
    [ -z "$heading" ] || anchors "$target" | grep -qxF -e "$heading" || fail "$page: no heading '$heading' in $target"
  done
done
# Comments that name a page name one that is there.
for file in $(grep -rhoE 'docs/[A-Za-z0-9/_-]+\.md' generator targets runtime tuning templates examples cmake dev 2>/dev/null | sort -u); do
  count=$((count + 1))
  [ -f "$file" ] || fail "comments name $file, which is not there"
done
# The page of a folder fits on a screen.
for page in $pages; do
  case $page in
  docs/*) ;;
  */README.md) [ "$(wc -l <"$page")" -le 45 ] || fail "$page: more than a screen" ;;
  esac
done
bytes=0
for file in docs/lab/data/*; do
  case $file in *.gz) ;; *) fail "$file: not compressed" ;; esac
  bytes=$((bytes + $(wc -c <"$file")))
  # shellcheck disable=SC2086
  grep -qF "data/$(basename "$file")" $pages || fail "$file: no page refers to it"
done
[ $bytes -le 2000000 ] || fail "docs/lab/data has $bytes bytes; allowed: 2000000"
echo "$count links, $bytes bytes of raw data, $bad failures"
[ $count -ge 100 ] && [ $bad = 0 ]
