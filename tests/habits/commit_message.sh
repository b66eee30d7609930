#!/bin/sh
# Is a commit's message as docs/conventions.md wants it? The hook of `./dev hooks` calls it, in
# a repository with the commit's changes staged. Comments and what git adds do not count.
# usage: commit_message.sh FILE
set -u
message=$(sed '/^# -* >8 -*$/,$d; /^#/d' "$1")
subject=$(printf '%s\n' "$message" | head -n 1)
bad=0
complain() { bad=1; printf 'commit message: %s\n' "$*" >&2; }

case $subject in
'Merge '* | 'merge: '* | 'Revert '* | 'fixup! '* | 'squash! '*) exit 0 ;;
esac
[ "${#subject}" -le 72 ] || complain "the subject has ${#subject} characters; allowed: 72"
[ "$(printf '%s\n' "$message" | sed -n 2p)" = '' ] || complain 'the second line is not blank'
case $subject in *.) complain 'the subject ends in a full stop' ;; esac

# "module: do something", several modules with commas.
if printf '%s\n' "$subject" | grep -Eq '^[A-Za-z0-9_./+-]+(, [A-Za-z0-9_./+-]+)*: [a-zA-Z]'; then
  first=$(printf '%s\n' "${subject#*: }" | sed 's/[^A-Za-z-].*//' | tr 'A-Z' 'a-z')
  case $first in
  a | an | the | this | that | these | those | it | its | no | not | one | two | some | all | what | who | when | where | why | how | more | less | every | each | there | now | new | also | is | are | was | were)
    complain "'$first' is no verb: say what the commit does, as in 'locale: print numbers without the C library'" ;;
  # Verbs that end as others do in the past, the progressive or the third person.
  need | embed | feed | seed | speed | shed | spread | exceed | proceed | bring | string | ring | swing | ping | pass | process | address | access | express | compress | guess | miss | focus | discuss | dismiss | assess | bypass | press | suppress | cross | dress | toss | canvas) ;;
  *ed | *ing) complain "'$first' is no imperative: say what the commit does" ;;
  *ss) ;;
  *s) complain "'$first' is no imperative: say what the commit does" ;;
  esac
else
  complain "the subject does not begin with its module, as in 'locale: print numbers without the C library'"
fi

# Behaviour and speed may change with the code: a reader wants to know why.
body=$(printf '%s\n' "$message" | sed 1d | grep -v '^ *$' | grep -vi '^[a-z-]*-by: ')
code=$(git diff --cached --name-only 2>/dev/null | grep -E '^(generator|targets|runtime|tuning|templates)/' | grep -Ev '\.md$' | head -n 1)
[ -z "$code" ] || [ -n "$body" ] || complain "$code changes: the body is missing that says why"
if printf '%s\n' "$message" | grep -Eqi '(faster|slower|speed up|% (less|more) time|times as (fast|long))'; then
  printf '%s\n' "$message" | grep -q '[0-9]' || complain 'a claim about speed without a number'
fi
[ $bad = 0 ] || complain 'docs/conventions.md has the rules'
exit $bad
