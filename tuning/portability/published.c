/* See published.h. SYCL-FFT: Pascuzzi and Goli, "Benchmarking a proof-of-concept performance portable SYCL-based FFT
 * library" (2022), c2c of floats, n = 8 .. 2048. k-means: a study of one SYCL source tuned for each device by its
 * package size, SIMD width, work-group size and layout. */
#include "tuning/portability/published.h"
#include <stddef.h>

const fg_port_published fg_port_published_table[] = {
    {FG_PORT_KERNELS, "SYCL-FFT", "A100, MI100",
     "kernels within 30 % of cuFFT and rocFFT, with launches 2-4 times their time", 0},
    {FG_PORT_LAUNCHES, "SYCL-FFT", "A100", "40 us a launch; cuFFT there 13 us", 40},
    {FG_PORT_LAUNCHES, "SYCL-FFT", "MI100", "80 us a launch", 80},
    {FG_PORT_LAUNCHES, "SYCL-FFT", "other devices", "200-800 us a launch", 200},
    {FG_PORT_CARRIED, "k-means in SYCL", "CPUs and GPUs", "tuned code carried to another device loses 16-66 %", 0},
    {FG_PORT_AGREEMENT, "SYCL-FFT", "against a library of the vendor, f(x) = x", "chi2/ndf 3.47e-3, p = 1.0", 0},
    {0},
};
