// Kernels of `cudalint probe` with so many bytes of local memory per thread.

#define LOCAL(NAME, WORDS)                                                     \
  extern "C" __global__ void NAME(volatile unsigned *flag, unsigned *out) {    \
    volatile unsigned words[WORDS];                                            \
    for (unsigned i = 0; i < WORDS; ++i) {                                     \
      words[i] = i * blockDim.x;                                               \
    }                                                                          \
    unsigned sum = 0;                                                          \
    for (unsigned i = 0; i < blockDim.x; ++i) {                                \
      sum += words[i * 977 % WORDS];                                           \
    }                                                                          \
    out[0] = sum;                                                              \
  }

LOCAL(local_512, 128)
LOCAL(local_1024, 256)
LOCAL(local_2048, 512)
LOCAL(local_8192, 2048)
LOCAL(local_32768, 8192)
