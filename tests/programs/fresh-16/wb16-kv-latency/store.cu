#include "store.cuh"

namespace kv {

namespace {

constexpr unsigned long long kEmpty = ~0ull;

__device__ std::uint32_t spread(std::uint32_t k) { return k * 0x9e3779b1u; }

__global__ void fill_kernel(unsigned long long* slots, std::uint32_t mask, std::uint32_t entries) {
    for (std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x; k < entries; k += gridDim.x * blockDim.x) {
        const std::uint32_t value = k * 2654435761u ^ 0x5bd1e995u;
        const unsigned long long packed = (static_cast<unsigned long long>(k) << 32) | value;
        std::uint32_t at = spread(k) & mask;
        while (atomicCAS(&slots[at], kEmpty, packed) != kEmpty) at = (at + 1) & mask;
    }
}

// Repeats the batch until the time slice of a request is used up.
__global__ void get_kernel(const unsigned long long* slots, std::uint32_t mask, const std::uint32_t* keys,
                           std::uint32_t* values, int n, unsigned long long slice_ns) {
    unsigned long long begin, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
            std::uint32_t at = spread(keys[i]) & mask;
            while (slots[at] != kEmpty && std::uint32_t(slots[at] >> 32) != keys[i]) at = (at + 1) & mask;
            values[i] = std::uint32_t(slots[at]);
        }
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - begin < slice_ns);
}

}  // namespace

Store::Store(std::uint32_t capacity_log2) : mask_((1u << capacity_log2) - 1) {
    const std::size_t bytes = (std::size_t(mask_) + 1) * sizeof(unsigned long long);
    guard(cudaMalloc(&slots_, bytes));
    guard(cudaMemset(slots_, 0xff, bytes));
    guard(cudaDeviceSynchronize());
}

Store::~Store() { cudaFree(slots_); }

void Store::fill(std::uint32_t entries, cudaStream_t stream) {
    fill_kernel<<<64, 256, 0, stream>>>(slots_, mask_, entries);
    guard(cudaGetLastError());
}

void Store::get(const std::uint32_t* keys, std::uint32_t* values, int n, cudaStream_t stream) const {
    get_kernel<<<16, 256, 0, stream>>>(slots_, mask_, keys, values, n, 10ull * 1000 * 1000);
    guard(cudaGetLastError());
}

}  // namespace kv
