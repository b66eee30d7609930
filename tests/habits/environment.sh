#!/bin/sh
# The environment is read in one place, which knows set-user-id programs: targets/env.c. usage: environment.sh FOLDER
set -u
cd "$1" || exit 2
hits=$(grep -rnE '(^|[^_a-z])getenv *\(' --include='*.[ch]' generator runtime targets tuning fftw python | grep -v -e '^tuning/contender/' -e '^targets/env\.c:')
[ -z "$hits" ] && exit 0
printf 'getenv outside targets/env.c:\n%s\n' "$hits"
exit 1
