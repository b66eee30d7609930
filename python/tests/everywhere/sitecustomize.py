"""On PYTHONPATH: numpy.fft and scipy.fft are fftgen's in this process, and in each that it starts."""

import fftgen.numpy_fft
import fftgen.scipy_fft
import scipy.fft

fftgen.numpy_fft.install()
scipy.fft.set_global_backend(fftgen.scipy_fft)
