# For scripts of tests, which read it: a test whose whole list takes minutes runs a part of it, another one each day.
# `drawn N` holds for one of N calls; with all=1 for every one. FFTGEN_SEED=DAY repeats a day's choice.
drawn_day=${FFTGEN_SEED:-$(($(date +%s) / 86400))} drawn_calls=0
[ -n "${all:-}" ] || echo "drawn by FFTGEN_SEED=$drawn_day"
drawn() {
  drawn_calls=$((drawn_calls + 1))
  [ -n "${all:-}" ] || [ $(((drawn_calls + drawn_day) % $1)) -eq 0 ]
}
