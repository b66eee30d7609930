#!/bin/sh
# The table of measurements on a GPU, row by row, from the plans of a wisdom file:
#   gpu_rows.sh list WISDOM FOLDER           FOLDER/rows.list for gpu_bundle.sh, FOLDER/rows.dims for the harness:
#                                            lines "PRECISION KIND DIMS", numbers as in its contender.h
#   gpu_rows.sh table FOLDER BARS            the rows, from FOLDER/rows.work (manifests), FOLDER/rows.csv (the
#                                            harness's, in which the contender is `rows`; the best of several runs)
#                                            and, where it is there, FOLDER/rows.ncu (bytes that counters saw:
#                                            DIMS KIND PRECISION BYTES)
# BARS: lines "KIND PRECISION DIMS OPPONENT REACH AIM" (fractions of copy; -: none). Bytes are over those of the input;
# limit: what the bytes that were moved allow at the copy's rate.
set -eu

# Problems that fill a GiB, once each.
list() {
  sed -n 's/.*"problem":"\([^"]*\)".*"plan":"\([^"]*\)".*/\1|\2/p' "$1" | awk -F'|' -v dir="$2" '
    BEGIN { number["f16"] = 0; number["f32"] = 1; number["f64"] = 2; code["c2c"] = 0; code["r2c"] = 2; code["c2r"] = 3
            bytes["f16"] = 2; bytes["f32"] = 4; bytes["f64"] = 8 }
    { n = split($1, word, " "); dims = batch = ""
      for (i = 3; i <= n; i++) {
        if (word[i] ~ /^n=/) dims = substr(word[i], 3)
        else if (word[i] ~ /^batch=[0-9]+$/) batch = substr(word[i], 7)
        else next
      }
      rank = split(dims, d, "x"); points = 1
      for (i = 1; i <= rank; i++) points *= d[i]
      numbers = word[1] == "c2c" ? 2 * points : word[1] == "r2c" ? points : points / d[rank] * 2 * (int(d[rank] / 2) + 1)
      most = int(1073741824 / bytes[word[2]] / numbers)
      if (most < 1) most = 1
      if (batch == "") batch = 1
      key = word[1] " " word[2] " " dims
      if (batch != most || key in seen) next
      seen[key] = 1
      print word[1], word[2], dims, batch, $2 >(dir "/rows.list")
      print number[word[2]], code[word[1]], dims >(dir "/rows.dims") }'
}

# name, problem, plan, launches, bytes of arrays
manifests() {
  for m in "$1"/rows.work/*_cu.json; do
    awk -F'"' '/^  "problem"/ { problem = $4 } /^  "plan"/ { plan = $4 } /"kernel":/ { launches++ }
               /^  "moved"/ { split($0, part, /[:,]/); moved = part[3] }
               END { printf "%s|%s|%d|%s\n", problem, plan, launches, moved + 0 }' "$m"
  done
}

table() {
  manifests "$1" >"$1/rows.facts"
  [ -e "$1/rows.ncu" ] || : >"$1/rows.ncu"
  awk -v facts="$1/rows.facts" -v ncu="$1/rows.ncu" -v bars="$2" '
    function gib(bytes, whole) { return bytes == "" ? "" : sprintf("%.2f", bytes / whole) }
    function shown(x) { return x == "" || x == "-" ? "" : x >= 0.995 ? sprintf("%.2f", x) : substr(sprintf("%.2f", x), 2) }
    BEGIN {
      precision["half"] = "f16"; precision["float"] = "f32"; precision["double"] = "f64"
      while ((getline line <facts) > 0) {
        split(line, fact, "|"); split(fact[1], word, " ")
        key = word[1] " " word[2] " " substr(word[3], 3)
        plan[key] = fact[2]; kernels[key] = fact[3]; moved[key] = fact[4]
      }
      while ((getline line <ncu) > 0) { split(line, w, " "); seen[w[2] " " w[3] " " w[1]] = w[4] }
      while ((getline line <bars) > 0) { split(line, w, " "); k = w[1] " " w[2] " " w[3]; other[k] = w[4]; reach[k] = w[5]; aim[k] = w[6] }
      print "| problem | opponent | fftgen | reach | aim | limit | kernels | bytes, counted | by counters | plan |"
      print "|---|---|---|---|---|---|---|---|---|---|"
      FS = ","
    }
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["t_med_us"] != "" && $at["frac_copy"] != "" {
      k = $at["kind"] " " precision[$at["prec"]] " " $at["dims"]
      f = $at["frac_copy"] + 0
      if ($at["contender"] == "rows") { if (f > best[k]) best[k] = f; if (!(k in whole)) order[++n] = k; whole[k] = $at["mib_in"] * 1048576
        ends[k] = $at["gbps"] * $at["t_med_us"] * 1000 }
      else if ($at["contender"] != "before" && f > rival[k]) rival[k] = f
    }
    END {
      for (i = 1; i <= n; i++) {
        k = order[i]
        if (other[k] != "" && other[k] != "-" && other[k] > rival[k]) rival[k] = other[k]
        bytes = seen[k] != "" ? seen[k] : moved[k]
        limit = bytes > ends[k] ? ends[k] / bytes : 1
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | `%s` |\n", k, shown(rival[k]), shown(best[k]), shown(reach[k]), \
          shown(aim[k]), shown(limit), kernels[k], gib(moved[k], whole[k]), gib(seen[k], whole[k]), plan[k]
      }
    }' "$1/rows.csv"
}

case ${1:-} in
list) list "$2" "$3" ;;
table) table "$2" "$3" ;;
*)
  sed -n '2,12p' "$0" >&2
  exit 2
  ;;
esac
