/* All of libfftw3_threads and libfftw3_omp: their functions are libfftw3's, which they are linked to. */
typedef int fg_linked; /* no translation unit is empty */
