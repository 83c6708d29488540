#include "stages.cuh"

__global__ void transform(const uint8_t* in, uint8_t* out, size_t n, uint8_t key, unsigned long long entropy_ns) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        out[i] = transform_byte(in[i], in[i + 1 < n ? i + 1 : 0], key);
    // entropy coding stage, fixed time per picture
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - start < entropy_ns);
}

void launch_transform(const uint8_t* in, uint8_t* out, size_t n, uint8_t key, int entropy_us, cudaStream_t s) {
    transform<<<64, 256, 0, s>>>(in, out, n, key, entropy_us * 1000ull);
}
