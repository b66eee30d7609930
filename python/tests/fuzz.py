"""Random calls: shapes, strides, types, axes, lengths, outputs. usage: python fuzz.py CALLS [SEED]

Each result is compared with numpy.fft's or scipy.fft's own. Where they raise, fftgen has to raise an error of the same
family. Nothing may crash; under AddressSanitizer (asan.sh) nothing may touch memory that is not an array's.
"""

import sys
import warnings

import fftgen
import numpy as np

try:
    import scipy.fft as reference
except ImportError:  # NumPy's functions alone
    import numpy.fft as reference

TYPES = ("f4", "f8", "c8", "c16", "f2", "i2", "u1", "?", ">f8", ">c8")
if reference is np.fft and np.__version__[:2] == "1.":  # which computed in double
    TYPES = tuple(t for t in TYPES if t not in ("f2", "f4", "c8", ">c8"))
NAMES = [row.name for row in fftgen._general.ROWS if hasattr(reference, row.name)]

if hasattr(reference, "dst"):  # SciPy 1.10 scales the wrong element of a sine transform that is to be orthogonal
    _m = reference.dst(np.eye(5), norm="ortho")
    if np.abs(_m @ _m.T - np.eye(5)).max() > 1e-9:
        NAMES = [name for name in NAMES if "dst" not in name]


def array(rng, dtype, shape):
    """Random numbers in memory of random strides: negative, zero, permuted, with gaps, not aligned."""
    kind = np.dtype(dtype).kind
    a = rng.integers(0, 9, shape) if kind in "iub" else rng.standard_normal(shape)
    if kind == "c":
        a = a + 1j * rng.standard_normal(shape)
    a = np.asarray(a).astype(dtype)
    form = rng.integers(0, 8)
    if form == 0 and a.ndim > 1:
        a = np.asfortranarray(a)
    elif form == 1 and a.ndim:
        wide = np.zeros(tuple(n * 2 + 1 for n in shape), dtype)
        part = tuple(slice(1, 1 + 2 * n, 2) for n in shape)
        wide[part] = a
        a = wide[part]
    elif form == 2 and a.ndim:
        a = a[tuple(slice(None, None, -1) if rng.integers(0, 2) else slice(None) for _ in shape)]
    elif form == 3 and a.ndim > 1:
        a = np.transpose(a, rng.permutation(a.ndim))
    elif form == 4 and a.ndim and a.size:
        a = np.broadcast_to(a[:1] if rng.integers(0, 2) else a, a.shape)
    elif form == 5 and a.size:
        raw = np.zeros(a.nbytes + 1, "u1")[1:].view(dtype).reshape(a.shape)
        raw[...] = a
        a = raw
    elif form == 6 and dtype in ("f4", "f8"):
        pair = np.zeros(shape, "c" + str(2 * int(dtype[1])))
        pair.real = a
        a = pair.real
    elif form == 7 and a.size:
        record = np.zeros(shape, [("x", "u1"), ("a", dtype), ("y", "u2")])
        record["a"] = a
        a = record["a"]
    return a


def arguments(rng, name, a):
    kwargs = {"norm": str(rng.choice(["backward", "ortho", "forward"])) if rng.integers(0, 2) else None}
    trigonometric = name.startswith(("dct", "dst", "idct", "idst"))
    if trigonometric:
        kwargs["type"] = int(rng.integers(0 if rng.integers(0, 20) == 0 else 1, 5))
        if rng.integers(0, 3) == 0 and a.dtype.kind != "c":  # which SciPy does not look at for complex numbers
            kwargs["orthogonalize"] = bool(rng.integers(0, 2))
    if name.endswith("n"):
        count = int(rng.integers(0, a.ndim + 1))
        if rng.integers(0, 3):
            kwargs["axes"] = tuple(int(x) for x in rng.permutation(a.ndim)[:count] - a.ndim * rng.integers(0, 2))
            if rng.integers(0, 2):
                kwargs["s"] = tuple(int(x) for x in rng.integers(1, 12, count))
    elif not name.endswith("2"):
        kwargs["axis"] = int(rng.integers(-a.ndim - (rng.integers(0, 20) == 0), max(a.ndim, 1)))
        if rng.integers(0, 2):
            kwargs["n"] = int(rng.integers(0 if rng.integers(0, 20) == 0 else 1, 40))
    return kwargs


def output(rng, like):
    """An array for results, or one of another layout, shape or type."""
    form = rng.integers(0, 6)
    if form == 0:
        return np.empty(like.shape + (2,), like.dtype)[..., 1]
    if form == 1 and like.ndim:
        return np.empty(like.shape, like.dtype)[::-1]
    if form == 2:
        return np.empty(like.shape, "c16")
    if form == 3:
        return np.empty(like.shape[::-1], like.dtype)
    if form == 4:
        return np.asfortranarray(np.empty(like.shape, like.dtype))
    return np.empty(like.shape, like.dtype)


def attempt(function, *args, **kwargs):
    try:
        return function(*args, **kwargs), None
    except (ValueError, TypeError, IndexError, RuntimeError, NotImplementedError) as error:
        return None, error


def narrowed(name, a, kwargs, theirs):
    """SciPy's reals of float16 as NumPy's: halves, where one axis is transformed."""
    axes = len(kwargs["axes"]) if "axes" in kwargs else a.ndim if name.endswith("n") else 2 if name.endswith("2") else 1
    return theirs.astype("f2") if a.dtype == "f2" and axes == 1 and name.startswith(("irfft", "hfft")) else theirs


def tolerance(a):
    if a.dtype == "f2":
        return 2e-3
    return 3e-4 if a.dtype.itemsize // (2 if a.dtype.kind == "c" else 1) == 4 else 1e-10


def same(ours, theirs):
    if not isinstance(ours, np.ndarray) or ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return False
    if not ours.size or ours.dtype.kind not in "fc":
        return np.array_equal(ours, theirs)
    return np.abs(ours - theirs).max() <= tolerance(theirs) * (1 + np.abs(theirs).max())


def one(rng):
    """None, or what is wrong."""
    name = str(rng.choice(NAMES))
    dimensions = int(rng.integers(0, 5))
    shape = tuple(int(n) for n in rng.integers(0 if rng.integers(0, 8) == 0 else 1, (80, 40, 16, 8, 5)[dimensions], dimensions))
    a = array(rng, str(rng.choice(TYPES)), shape)
    kwargs = arguments(rng, name, a)
    before = a.copy()
    ours, error = attempt(getattr(fftgen, name), a, **kwargs)
    theirs, expected = attempt(getattr(reference, name), a, **kwargs)
    what = f"{name} {a.dtype} {a.shape} {a.strides} {kwargs}"
    if "Invalid number of FFT data points (0)" in str(error) and expected is None:
        return None  # half a spectrum of one number: NumPy says that it has 0 points, SciPy 1
    if (error is None) != (expected is None):
        return f"{what}: {error!r}, expected {expected!r}"
    if error is not None:
        return None
    theirs = narrowed(name, a, kwargs, theirs)
    if not same(ours, theirs):
        return f"{what}: results differ"
    if not np.array_equal(a, before):
        return f"{what}: the input changed"
    if rng.integers(0, 3):
        return None
    out = output(rng, theirs)
    result, error = attempt(getattr(fftgen, name), a, out=out, **kwargs)
    if error is not None:
        return None if out.shape != theirs.shape or not np.can_cast(theirs.dtype, out.dtype, "same_kind") else f"{what}: out {error!r}"
    if name.endswith("n") and kwargs.get("axes", range(a.ndim)) in ((), range(0)):
        return None  # nothing is transformed
    if result is not out:
        return f"{what}: out= is not what comes back"
    return None if same(out.astype(theirs.dtype), theirs) else f"{what}: out differs"


def main(calls, seed):
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(seed)
    wrong = []
    for _ in range(calls):
        found = one(rng)
        if found:
            wrong.append(found)
            print(found)
        if len(wrong) > 20:
            break
    print(f"{calls} calls, seed {seed}: {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
