"""Texts of the functions: shapes, units, and an example that the tests run."""

from __future__ import annotations

from ._general import Row, signature

_SUMS = {
    "fft": ("Discrete Fourier transform", "X[k] = sum over j of x[j] exp(-2 pi i j k / n)", "n", "n", "complex"),
    "ifft": ("Inverse discrete Fourier transform", "x[j] = 1/n sum over k of X[k] exp(+2 pi i j k / n)", "n", "n", "complex"),
    "rfft": ("Discrete Fourier transform of real numbers, its first half",
             "X[k] = sum over j of x[j] exp(-2 pi i j k / n), k = 0 .. n//2", "n", "n//2 + 1", "complex"),
    "irfft": ("Inverse of rfft: real numbers of the first half of a spectrum",
              "x[j] = 1/n sum over k of X[k] exp(+2 pi i j k / n), X[n - k] = conj X[k]", "n//2 + 1", "n", "real"),
    "hfft": ("Discrete Fourier transform of numbers with Hermitian symmetry, of which the first half is given",
             "X[k] = sum over j of x[j] exp(-2 pi i j k / n), x[n - j] = conj x[j]", "n//2 + 1", "n", "real"),
    "ihfft": ("Inverse of hfft: the first half of the symmetric numbers",
              "x[j] = 1/n sum over k of X[k] exp(+2 pi i j k / n), j = 0 .. n//2", "n", "n//2 + 1", "complex"),
    "dct": ("Discrete cosine transform of type I, II, III or IV",
            "type II: y[k] = 2 sum over j of x[j] cos(pi (2 j + 1) k / (2 n))", "n", "n", "as x"),
    "idct": ("Inverse of dct of the same type", "idct(dct(x)) == x", "n", "n", "as x"),
    "dst": ("Discrete sine transform of type I, II, III or IV",
            "type II: y[k] = 2 sum over j of x[j] sin(pi (2 j + 1) (k + 1) / (2 n))", "n", "n", "as x"),
    "idst": ("Inverse of dst of the same type", "idst(dst(x)) == x", "n", "n", "as x"),
}

_EXAMPLES = {
    "fft": (">>> fftgen.fft([1., 0, 0, 0]).real", "array([1., 1., 1., 1.])"),
    "ifft": (">>> fftgen.ifft([4., 0, 0, 0]).real", "array([1., 1., 1., 1.])"),
    "rfft": (">>> fftgen.rfft([1., 1, 1, 1]).real", "array([4., 0., 0.])"),
    "irfft": (">>> fftgen.irfft([4., 0, 0])", "array([1., 1., 1., 1.])"),
    "hfft": (">>> fftgen.hfft([1., 0, 0])", "array([1., 1., 1., 1.])"),
    "ihfft": (">>> fftgen.ihfft([4., 0, 0, 0]).real", "array([1., 1., 1.])"),
    "dct": (">>> abs(fftgen.dct([1., 1, 1, 1], norm='ortho')).round(12)", "array([2., 0., 0., 0.])"),
    "idct": (">>> fftgen.idct(fftgen.dct([1., 2, 3])).round(12)", "array([1., 2., 3.])"),
    "dst": (">>> abs(fftgen.dst([1., 0, 1], type=1)).round(12)", "array([2.82842712, 0.        , 2.82842712])"),
    "idst": (">>> fftgen.idst(fftgen.dst([1., 2, 3])).round(12)", "array([1., 2., 3.])"),
}


def text(row: Row) -> str:
    """The docstring of one of fftgen's functions, its signature first."""
    what, total, elements_in, elements_out, kind = _SUMS[row.base]
    many = row.dimensions != "1"
    where = "along `axes`, one after another" if many else "along `axis`"
    lines = [f"{what}, {where}.", "", f"    {total}", ""]
    if many:
        lines += ["s : lengths n of the transform along each of `axes`; -1 is that of x. By default x has them.",
                  f"axes : {'the last two' if row.dimensions == '2' else 'all'} by default. Half of a spectrum is along the last one."]
    else:
        lines += [f"n : points of the transform; x has {elements_in} of them along `axis`, more are cropped, fewer padded with zeros."]
    lines += ["norm : 'backward' (the inverse divides by n), 'ortho' (both by sqrt n), 'forward' (the forward transform by n).",
              f"out : an array for the results, {elements_out} elements along the (last) axis; it may be x where shape and type are the same.",
              "workers : threads, at most; -1 is one for each processor. None: fftgen.set_workers, or 1."]
    lines += ["load, store : functions of each element that is read, of each result that is stored, made by @fftgen.load, @fftgen.store."]
    if row.trigonometric:
        lines += ["type : 1 to 4. Complex numbers are transformed part by part.",
                  "orthogonalize : whether the transform's matrix is made orthogonal; by default where norm is 'ortho'."]
    lines += ["", f"x is an array of any strides, float32, float64 or complex; float16 and bfloat16 become float32, whole numbers float64.",
              f"The result is {kind}, in the precision of x" + ("; of float16 along one axis it is float16, as NumPy's." if row.half_in else ".")]
    if not many:
        lines += ["", ">>> import fftgen"] + list(_EXAMPLES[row.base])
    shown = str(signature(row, "fftgen"))
    return f"{row.name}{shown}\n--\n\n" + "\n".join(lines) + "\n"
