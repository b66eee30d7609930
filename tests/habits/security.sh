#!/bin/sh
# Every line of docs/security.md names a test, and the test is there. usage: security.sh FOLDER
set -u
cd "$1" || exit 2
bad=0 rows=0
# shellcheck disable=SC2162
while IFS='|' read _ _ test _; do
  test=$(printf '%s' "$test" | sed 's/^ *//; s/ *$//')
  case $test in test | ---* | '') continue ;; esac
  file=${test%%: *} name=${test#*: } rows=$((rows + 1))
  case $file in
    trust.sh | pack_sign.sh) grep -qF -- "# --- $name" "tests/$file" && continue ;;
    habits/* | fault/*) grep -qF -- "$name" "tests/$file" && continue ;;
    *.c) grep -qE "cmocka_unit_test[a-z_]*\\(${name}[,)]|TEST\\(${name}\\)" tests/unit/*/"$file" && continue ;;
  esac
  echo "docs/security.md names a test that is not there: $test"
  bad=1
done <<EOF
$(grep '^|' docs/security.md)
EOF
[ "$rows" -ge 20 ] || { echo "docs/security.md has $rows rows with tests"; bad=1; }
exit $bad
