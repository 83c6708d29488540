#include "histogram.cuh"

static __global__ void count_symbols(const uint8_t* tile, int n, uint32_t* counts)
{
    __shared__ uint32_t local[kSymbols];
    for (int s = threadIdx.x; s < kSymbols; s += blockDim.x) local[s] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[tile[i]], 1u);
    __syncthreads();
    for (int s = threadIdx.x; s < kSymbols; s += blockDim.x) atomicAdd(&counts[s], local[s]);
}

// Iterates the lengths to a fixed budget of time.
static __global__ void assign_lengths(const uint32_t* counts, int n, uint8_t* lengths, unsigned long long budget_ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin) :: "memory");
    int bits = 0;
    do {
        const uint32_t c = counts[threadIdx.x];
        bits = 1;
        while (bits < 24 && (c << bits) < static_cast<uint32_t>(n)) ++bits;
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now) :: "memory");
    } while (now - begin < budget_ns);
    lengths[threadIdx.x] = static_cast<uint8_t>(bits);
}

SymbolModel::SymbolModel()
{
    CHECK(cudaMalloc(&counts_, kSymbols * sizeof(uint32_t)));
    CHECK(cudaMalloc(&lengths_, kSymbols));
}

SymbolModel::~SymbolModel()
{
    cudaFree(counts_);
    cudaFree(lengths_);
}

void SymbolModel::build(const uint8_t* tile, int n, cudaStream_t stream)
{
    CHECK(cudaMemsetAsync(counts_, 0, kSymbols * sizeof(uint32_t)));
    count_symbols<<<16, 256, 0, stream>>>(tile, n, counts_);
    assign_lengths<<<1, kSymbols, 0, stream>>>(counts_, n, lengths_, 25'000'000ull);
    CHECK(cudaGetLastError());
}

void SymbolModel::fetch(uint32_t* counts, uint8_t* lengths, cudaStream_t stream) const
{
    CHECK(cudaMemcpyAsync(counts, counts_, kSymbols * sizeof(uint32_t), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaMemcpyAsync(lengths, lengths_, kSymbols, cudaMemcpyDeviceToHost, stream));
}
