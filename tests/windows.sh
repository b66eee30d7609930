#!/bin/sh
# Windows with parameters against SciPy's, where it is there: the weights of emitted tables. usage: windows.sh FFTGEN
set -u
fftgen=$(realpath "$1")
. "$(dirname "$0")/counted.sh"
python3 -c 'import scipy.signal' 2>/dev/null || { echo 'SKIP: no SciPy (package python3-scipy)'; exit 77; }
for n in 2 7 64 45 300; do
  for window in kaiser:8.6 kaiser:0 gaussian:0.4 tukey:0.25 tukey:1 chebyshev:45 chebyshev:100 dpss:2.5 dpss:8; do
    [ $n -gt 7 ] || [ "${window%%:*}" != dpss ] || continue
    name=${window%%:*} parameter=${window#*:}
    "$fftgen" emit "c2c f64 n=$n load=window($name($parameter))" --isa scalar --prefix w -o "$dir" >"$dir/out" 2>&1 ||
      { fail "$window of $n: $(cat "$dir/out")"; continue; }
    count=$((count + 1))
    python3 - "$dir/w.c" $n "$name" "$parameter" <<'END' || fail "$window of $n points is not SciPy's"
import re, sys
from scipy.signal import windows
n, name, p = int(sys.argv[2]), sys.argv[3], float(sys.argv[4])
text = re.search(r"/\* window [^\n]*\n[^{]*= \{\n(.*?)\};", open(sys.argv[1]).read(), re.S).group(1)
ours = [float(x) for x in text.split(",") if x.strip()]
theirs = {"kaiser": windows.kaiser, "gaussian": windows.gaussian, "tukey": windows.tukey,
          "chebyshev": windows.chebwin, "dpss": windows.dpss}[name](n, p * n / 2 if name == "gaussian" else p, sym=False)
sys.exit(int(len(ours) != n or max(abs(a - b) for a, b in zip(ours, theirs)) > 1e-11))  # doubles by FFT there
END
  done
done
echo "$count windows, $bad failures"
[ $bad = 0 ]
