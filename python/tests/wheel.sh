#!/bin/sh
# The wheel: built, small enough, and in a clean environment, without a compiler, a program of the system's or the network, it makes and shows
# kernels. To build it takes ten minutes, and the network. usage: wheel.sh PYTHON ROOT [MIB [KERNELS]]; KERNELS: a pack that it brings (pack.sh)
set -eu
python=$1 root=$2 most=${3:-18} kernels=${4:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m venv "$folder/build" 2>/dev/null || { echo 'SKIP: no venv for this Python'; exit 77; }
"$folder/build/bin/pip" download -q --no-deps -d "$folder" numpy >/dev/null 2>&1 || { echo 'SKIP: no network'; exit 77; }
"$folder/build/bin/pip" wheel -q --no-deps -w "$folder/wheel" "$root" --config-settings=build-dir="$folder/built" \
  ${kernels:+--config-settings=cmake.define.FFTGEN_PYTHON_KERNELS="$(realpath "$kernels")"}
for wheel in "$folder"/wheel/fftgen-*.whl; do :; done
bytes=$(wc -c <"$wheel")
echo "$(basename "$wheel"): $bytes bytes"
[ "$bytes" -le $((most * 1048576)) ] || { echo "FAIL: more than $most MiB"; exit 1; }
"$python" -m venv "$folder/clean"
"$folder/clean/bin/pip" install -q "$wheel"
[ -z "${KEEP:-}" ] || cp "$wheel" "$KEEP"
cat >"$folder/use.py" <<'END'
import os

import fftgen
import fftgen._pack
import numpy as np

x = np.random.default_rng(1).standard_normal((100, 1024)).astype("f4")
assert np.allclose(fftgen.rfft(x), np.fft.rfft(x), atol=1e-3)
hann = fftgen.load(lambda v, k: v * (0.5 - 0.5 * fftgen.cospi(2 * k / fftgen.n)))
level = fftgen.store(lambda v: fftgen.log(abs(v) + 1e-3))
w = .5 - .5 * np.cos(2 * np.pi * np.arange(1024) / 1024)
assert np.allclose(fftgen.rfft(x, load=hann, store=level), np.log(abs(np.fft.rfft(x * w)) + 1e-3), atol=1e-3)
plan = fftgen.plan(x, "rfft", load=hann)
assert plan.origin in ("jit", "cache"), plan.origin
fftgen.plan(x, "rfft", tune=1)
used = {line.split()[-1] for line in open("/proc/self/maps") if "r-xp" in line}
outside = [name for name in used if "/fftgen/" not in name and any(word in name for word in ("mpfr", "gmp", "lua5", "cjson", "LLVM", "fftgen"))]
assert not outside, outside
# The program is in it, too.
p = fftgen.plan(x, "rfft")
assert "rfft" not in p.problem and p.proof["ok"], p.proof
assert p.source(isa="avx512") != p.source(isa="scalar") and "__global__" in p.source("cuda"), p.problem
assert fftgen.plan(x, "dct").proof["ok"] and fftgen.plan(x.astype("f8"), "ifft").proof["l2"] < 1e-15
k = fftgen.raw_kernel("c2c f32 n=1024 batch=100", arch="h200")
assert k.launches and "__global__" in k.source
assert "__device__" in fftgen.numba_device("c2c f32 n=256", arch="h200").code
fftgen._plans._run(["tune", p.problem, "--device", "llvm", "--budget", "20s"])
merged = os.environ["FFTGEN_WISDOM"] + ".merged"
fftgen.wisdom.merge([fftgen.wisdom.path()], merged)
assert os.path.getsize(merged) and fftgen.wisdom.show() and "taken" in fftgen.wisdom.explain(p)
program = fftgen._plans._program()
assert os.path.dirname(fftgen.__file__) in program, program
pack = fftgen._pack.path()
assert bool(pack) == bool(os.environ["KERNELS"]), pack
assert not pack or "c2c f32 n=1024 batch=count[1..1048576]" in fftgen._pack.problems()
print(len(fftgen._pack.problems()), "kernels for GPUs; on the host by", sorted(name.rpartition("/")[2] for name in used if "/fftgen/" in name))
END
offline=$(command -v unshare) && "$offline" -rn true 2>/dev/null || { offline=; echo 'no unshare: the network stays'; }
${offline:+"$offline" -rn} env -i HOME="$folder" PATH=/nowhere KERNELS="$kernels" FFTGEN_CACHE="$folder/cache" FFTGEN_WISDOM="$folder/wisdom.jsonl" "$folder/clean/bin/python" "$folder/use.py"
