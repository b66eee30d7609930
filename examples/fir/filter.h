/* Convolution of a long signal with a short response, by transforms. */
#ifndef FILTER_H
#define FILTER_H

/* out[i] = sum over j < taps of response[j] in[i - j], with in[i < 0] = 0, for
 * 0 <= i < count. 1 <= taps <= 512. */
void filter_apply(const float *response, int taps, const float *in, long count, float *out);
#endif
