/* The identity of this machine for measurements: family, model, features and data caches of the CPU, as one line of
 * text. */
#ifndef FG_FINGERPRINT_H
#define FG_FINGERPRINT_H

enum { FG_FINGERPRINT_SIZE = 256 };

/* "x86_64 GenuineIntel 6.207 sse2,avx2,fma,... 48K,2M,260M". Always the same text
 * on one machine; asked of the CPU once. */
const char *fg_fingerprint_host(void);
#endif
