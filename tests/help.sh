#!/bin/sh
# Help that a person reads: pages are short, complete, and the same in the terminal, in
# the manual and in shells' completions. usage: help.sh FFTGEN
set -u
fftgen=$(realpath "$1")
. "$(dirname "$0")/counted.sh"
is() { # what it is, what it should be, of what
  count=$((count + 1))
  [ "$1" = "$2" ] || fail "$3: '$1', not '$2'"
}
has() { # file, words, of what
  count=$((count + 1))
  grep -qF -e "$2" "$1" || fail "$3: '$2' is not there"
}

commands=$("$fftgen" help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
topics=$("$fftgen" help | sed -n '/^Topics/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(echo $commands | wc -w)" -ge 12 ] && [ "$(echo $topics | wc -w)" -ge 5 ] || fail "subcommands $commands, topics $topics"

# --- short
for command in $commands; do
  "$fftgen" "$command" --help >"$dir/$command.txt" || fail "$command --help"
done
"$fftgen" help >"$dir/first.txt"
for topic in $topics; do "$fftgen" help "$topic" >"$dir/topic_$topic.txt" || fail "help $topic"; done
for page in "$dir"/*.txt; do
  count=$((count + 1))
  lines=$(wc -l <"$page")
  { [ "$lines" -le 40 ] && [ "$lines" -ge 5 ]; } || fail "$(basename "$page"): $lines lines, 40 allowed"
  [ "$(wc -L <"$page")" -le 80 ] || fail "$(basename "$page"): a line of $(wc -L <"$page") columns"
done

# --- complete: whatever a complaint allows is told of
allowed() { "$fftgen" "$@" 2>&1 | sed 's/.*allowed: //; s/,//g'; }
for word in $(allowed plan 'x f32 n=8') $(allowed plan 'c2c x n=8') $(allowed plan 'c2c f32 n=8 load=zz') \
  $(allowed plan 'c2c f32 n=8 store=zz') $(allowed plan 'c2c f32 n=8 load=window(x)') \
  $(allowed plan 'c2c f32 n=8 x=1' | sed 's/\>/=/g'); do
  has "$dir/topic_problem.txt" "$word" 'help problem'
done
for word in $(allowed plan 'c2c f32 n=8' --plan 'x(8)'); do has "$dir/topic_plan.txt" "${word%%(*}(" 'help plan'; done
for word in $(allowed help parameters x); do
  count=$((count + 1))
  grep -qE "[ ]$word(,| |$)" "$dir/topic_parameters.txt" || fail "help parameters: '$word' is not there"
  "$fftgen" help parameters "$word" >"$dir/one"
  has "$dir/one" "  $word=" "help parameters $word"
done
for word in $(allowed verify 'c2c f32 n=8' --device x); do has "$dir/topic_devices.txt" "  $word " 'help devices'; done
for word in $(allowed plan 'c2c f32 n=8' --arch x); do has "$dir/topic_machines.txt" "  $word " 'help machines'; done
for word in $(allowed plan 'c2c f32 n=8' --isa x); do has "$dir/topic_isas.txt" "  $word " 'help isas'; done
for word in gf code code-gf; do
  allowed plan 'c2c f32 n=8' --target x | grep -qwF -e "$word" && fail "--target offers $word, which is internal"
  grep -qw -e "target.*$word" "$dir/emit.txt" && fail "emit --help offers $word, which is internal"
done

# --- the manual
"$fftgen" help --write "$dir/share" || fail 'help --write'
for command in $commands; do
  [ "$command" = version ] && continue
  page=$dir/share/man/man1/fftgen-$command.1
  for option in $(grep -o '^ *\(-[a-z], \)*--[a-z-]*' "$dir/$command.txt" | grep -o -e '--[a-z-]*'); do
    has "$page" "$(printf '%s' "$option" | sed 's/-/\\-/g')" "the manual of $command"
    has "$dir/share/bash-completion/completions/fftgen" "$option" "completion of $command"
    has "$dir/share/zsh/site-functions/_fftgen" "$option" "completion of $command"
    has "$dir/share/fish/vendor_completions.d/fftgen.fish" " -l ${option#--}" "completion of $command"
  done
done
for topic in $topics; do [ -s "$dir/share/man/man7/fftgen-$topic.7" ] || fail "no page of the manual about $topic"; done
has "$dir/share/man/man7/fftgen-parameters.7" "$("$fftgen" help parameters lanes | sed -n '1s/.*  \([a-z].*\)$/\1/p' | cut -c1-30)" 'the manual'
if command -v mandoc >/dev/null; then
  for page in "$dir"/share/man/man*/*; do
    count=$((count + 1))
    mandoc -T lint -W warning "$page" >"$dir/lint" || fail "$(cat "$dir/lint")"
  done
  printf '.TH\n.SH\n.TP\n' >"$dir/wrong.1"
  ! mandoc -T lint -W warning "$dir/wrong.1" >/dev/null || fail 'mandoc finds nothing wrong in a page that is'
else
  echo 'SKIP: mandoc is not here, which reads the pages of the manual'
fi

# --- bash, zsh and fish, as they are asked: what the files hold, what each offers
in_bash() { bash "$(dirname "$0")/help/complete.bash" "$dir/share/bash-completion/completions/fftgen" "$@"; }
if command -v bash >/dev/null; then
  is "$(in_bash fftgen em)" emit 'bash: fftgen em'
  is "$(in_bash fftgen emit --du)" --dump= 'bash: emit --du'
  is "$(in_bash fftgen emit --dump = so)" source 'bash: emit --dump=so'
  is "$(in_bash fftgen emit --isa avx)" 'avx2 avx512' 'bash: emit --isa avx'
  is "$(in_bash fftgen emit --target '')" "$("$fftgen" emit 'c2c f32 n=8' --target none 2>&1 | sed 's/.*allowed: //; s/,//g')" 'bash: emit --target'
  is "$(in_bash fftgen wisdom m)" merge 'bash: wisdom m'
  is "$(in_bash fftgen wisdom show "$dir/sha")" "$dir/share" 'bash: wisdom show FILE'
  is "$(in_bash fftgen emit -o "$dir/sha")" "$dir/share" 'bash: emit -o FOLDER'
  is "$(in_bash fftgen help para)" parameters 'bash: help para'
else
  echo 'SKIP: bash is not here, whose completion would be asked'
fi
in_zsh() { timeout 20 zsh -f "$(dirname "$0")/help/complete.zsh" "$dir/share/zsh/site-functions" "$1"; }
if command -v zsh >/dev/null; then
  is "$(in_zsh 'fftgen em')" 'fftgen emit ' 'zsh'
  is "$(in_zsh 'fftgen ops 8 --al')" 'fftgen ops 8 --algo=' 'zsh'
  is "$(in_zsh 'fftgen emit --dump=so')" 'fftgen emit --dump=source ' 'zsh'
  is "$(in_zsh 'fftgen wisdom m')" 'fftgen wisdom merge ' 'zsh'
  is "$(in_zsh 'fftgen help para')" 'fftgen help parameters ' 'zsh'
else
  echo 'SKIP: zsh is not here, whose completion would be asked'
fi
in_fish() {
  HOME=$dir fish -N -c "source $dir/share/fish/vendor_completions.d/fftgen.fish; complete -C '$1'" | cut -f1 | tr '\n' ' '
}
if command -v fish >/dev/null; then
  is "$(in_fish 'fftgen em')" 'emit ' 'fish: fftgen em'
  is "$(in_fish 'fftgen emit --dump so')" 'source ' 'fish: emit --dump so'
  is "$(in_fish 'fftgen emit --isa=avx')" '--isa=avx2 --isa=avx512 ' 'fish: emit --isa=avx'
  is "$(in_fish 'fftgen wisdom mer')" 'merge ' 'fish: wisdom mer'
  is "$(in_fish 'fftgen help param')" 'parameters ' 'fish: help param'
else
  echo 'SKIP: fish is not here, whose completion would be asked'
fi

echo "$count checks of help, $bad failures"
[ $bad = 0 ]
