#include "layers.cuh"

__host__ __device__ static inline uint32_t dequant_impl(uint32_t word, int lane) {
    return ((word >> (8 * lane)) & 0xffu) * 2654435761u + 12345u;
}

__device__ static void busy_until(unsigned long long begin, unsigned long long ns) {
    unsigned long long t;
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - begin < ns);
}

__device__ static unsigned long long tick() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// Entropy decoding runs on few blocks and is bound by latency.
__global__ void unpack_kernel(const uint32_t* packed, uint32_t* dense) {
    const unsigned long long begin = tick();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kPacked; i += gridDim.x * blockDim.x) {
        const uint32_t word = packed[i];
        for (int lane = 0; lane < 4; ++lane) dense[4 * i + lane] = dequant_impl(word, lane);
    }
    busy_until(begin, kUnpackNs);
}

__global__ void apply_kernel(const uint32_t* dense, const uint32_t* in, uint32_t* out, int width) {
    const unsigned long long begin = tick();
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < width) {
        const int columns = kDense / width;
        uint32_t acc = in[row];
        for (int c = 0; c < columns; ++c) acc += dense[c * width + row] * (in[(row + c) % width] | 1u);
        out[row] = acc;
    }
    busy_until(begin, kApplyNs);
}

void launch_unpack(const uint32_t* packed, uint32_t* dense, cudaStream_t stream) {
    unpack_kernel<<<32, 256, 0, stream>>>(packed, dense);
}

void launch_apply(const uint32_t* dense, const uint32_t* in, uint32_t* out, int width, cudaStream_t stream) {
    apply_kernel<<<width / 128, 128, 0, stream>>>(dense, in, out, width);
}

uint32_t dequant(uint32_t word, int lane) { return dequant_impl(word, lane); }
