/* The interface of a GPU benchmark to a library of transforms. All arrays are on the device; n[] has its fastest
 * dimension last; the transforms of a batch are contiguous. */
#ifndef FG_CONTENDER_GPU_H
#define FG_CONTENDER_GPU_H

enum { FFTC_ABI = 1 };                        /* of this interface */
enum { FFTC_HALF, FFTC_SINGLE, FFTC_DOUBLE }; /* precision */
enum {
  FFTC_FORWARD,
  FFTC_BACKWARD,
  FFTC_R2C,
  FFTC_C2R,
  FFTC_CONVOLUTION
}; /* kind; complex in and out: the first two */

int fftc_abi(void);
const char *fftc_name(void);
/* NULL: not among what this library does. May be called by several threads. */
void *fftc_plan(int rank, const long long *n, long long batch, int precision, int kind, int in_place);
/* Enqueues on a CUstream, nothing else; 0: done. */
int fftc_execute(void *plan, void *in, void *out, void *aux, void *stream);
void fftc_destroy(void *plan);
#endif
