// Counts 4-mers in batches of synthetic reads.
#include "slab_pool.h"
#include <array>

namespace {

constexpr int K = 4, BINS = 256;
constexpr size_t READ_BYTES = 1 << 20;
constexpr int BATCHES = 10;

__device__ __forceinline__ void dwell(unsigned long long ns)
{
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(a)::"memory");
    do { asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(b)::"memory"); } while (b - a < ns);
}

__global__ void encode(const char* bases, unsigned char* codes, size_t n)
{
    dwell(20'000'000ull);
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
        char c = bases[i];
        codes[i] = c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : 3;
    }
}

__global__ void tally(const unsigned char* codes, size_t n, unsigned long long* bins)
{
    dwell(20'000'000ull);
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i + K <= n; i += size_t(gridDim.x) * blockDim.x) {
        unsigned key = 0;
        for (int k = 0; k < K; ++k) key = key * 4 + codes[i + k];
        atomicAdd(&bins[key], 1ull);
    }
}

void parse(int batch, char* out)
{
    unsigned s = 12345u + 977u * batch;
    for (size_t i = 0; i < READ_BYTES; ++i) {
        s = s * 1664525u + 1013904223u;
        out[i] = "ACGT"[s >> 30];
    }
}

void count_on_host(const char* r, std::array<unsigned long long, BINS>& bins)
{
    auto code = [](char c) { return c == 'A' ? 0u : c == 'C' ? 1u : c == 'G' ? 2u : 3u; };
    for (size_t i = 0; i + K <= READ_BYTES; ++i) {
        unsigned key = 0;
        for (int k = 0; k < K; ++k) key = key * 4 + code(r[i + k]);
        ++bins[key];
    }
}

struct lanes {
    cudaStream_t in, work;
    lanes()
    {
        ck(cudaStreamCreateWithFlags(&in, cudaStreamNonBlocking));
        ck(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
    }
    ~lanes() { cudaStreamDestroy(in); cudaStreamDestroy(work); }
};

void enqueue_batch(const lanes& ln, slab_pool& pool, char* slab, unsigned long long* d_bins)
{
    char* bases = nullptr;
    unsigned char* codes = nullptr;
    ck(cudaMallocAsync(&bases, READ_BYTES, ln.in));
    ck(cudaMallocAsync(&codes, READ_BYTES, ln.in));
    ck(cudaMemcpyAsync(bases, slab, READ_BYTES, cudaMemcpyHostToDevice, ln.in));
    then(ln.in, [&pool, slab] { pool.put(slab); });
    encode<<<32, 256, 0, ln.in>>>(bases, codes, READ_BYTES);
    ck(cudaGetLastError());
    ck(cudaFreeAsync(bases, ln.in));

    cudaEvent_t encoded;
    ck(cudaEventCreateWithFlags(&encoded, cudaEventDisableTiming));
    ck(cudaEventRecord(encoded, ln.in));
    ck(cudaStreamWaitEvent(ln.work, encoded, 0));
    ck(cudaEventDestroy(encoded));

    tally<<<32, 256, 0, ln.work>>>(codes, READ_BYTES, d_bins);
    ck(cudaGetLastError());
    ck(cudaFreeAsync(codes, ln.work));
}

} // namespace

int main()
{
    std::array<unsigned long long, BINS> expect{}, got{};
    unsigned long long* d_bins = nullptr;
    ck(cudaMalloc(&d_bins, sizeof got));
    {
        lanes ln;
        slab_pool pool(2, READ_BYTES);
        ck(cudaMemsetAsync(d_bins, 0, sizeof got, ln.work));

        for (int b = 0; b < BATCHES; ++b) {
            char* slab = pool.get();
            parse(b, slab);
            count_on_host(slab, expect);
            enqueue_batch(ln, pool, slab, d_bins);
        }
        ck(cudaStreamSynchronize(ln.work));
    }
    ck(cudaMemcpy(got.data(), d_bins, sizeof got, cudaMemcpyDeviceToHost));
    ck(cudaFree(d_bins));

    int wrong = 0;
    for (int i = 0; i < BINS; ++i) wrong += got[i] != expect[i];
    if (wrong) std::printf("WRONG %d\n", wrong);
    else       std::printf("DONE\n");
    return wrong != 0;
}
