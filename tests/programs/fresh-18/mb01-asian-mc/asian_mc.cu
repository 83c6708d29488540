// Monte Carlo pricing of a book of Asian options; each lane prices contracts in its own stream.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define TRY(x) do { if (cudaError_t e = (x)) { \
    std::fprintf(stderr, "CUDA %s at %d\n", cudaGetErrorString(e), __LINE__); std::exit(1); } } while (0)

struct Contract { float spot, strike, vol, rate, years; };

struct McConfig {
    int lanes = 8;
    int contracts = 64;
    int paths_per_thread = 64;
    int fixings = 64;
    int blocks = 16;
    int threads = 128;
};

struct Pcg {
    uint64_t state, inc;
    __device__ Pcg(uint64_t seed, uint64_t seq) : state(0), inc((seq << 1) | 1) {
        next(); state += seed; next();
    }
    __device__ uint32_t next() {
        const uint64_t old = state;
        state = old * 6364136223846793005ULL + inc;
        const uint32_t xs = uint32_t(((old >> 18) ^ old) >> 27);
        const uint32_t rot = uint32_t(old >> 59);
        return (xs >> rot) | (xs << ((32 - rot) & 31));
    }
    __device__ float uniform() { return (next() + 1.0f) * 2.3283064e-10f; }
    __device__ float normal() {
        const float u = fminf(uniform(), 0.99999994f), v = uniform();
        return sqrtf(-2.f * logf(u)) * cospif(2.f * v);
    }
};

__device__ inline void add_double(double* p, double v) {
    auto* bits = reinterpret_cast<unsigned long long*>(p);
    unsigned long long seen = *bits, prev;
    do {
        prev = seen;
        seen = atomicCAS(bits, prev, __double_as_longlong(v + __longlong_as_double(prev)));
    } while (seen != prev);
}

__global__ void simulate(Contract c, int paths, int fixings, uint64_t seed, double* sums) {
    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    Pcg rng(seed, tid);
    const float dt = c.years / fixings;
    const float drift = (c.rate - 0.5f * c.vol * c.vol) * dt, diff = c.vol * sqrtf(dt);
    double s = 0, s2 = 0;
    for (int p = 0; p < paths; ++p) {
        float x = c.spot, avg = 0.f;
        for (int k = 0; k < fixings; ++k) {
            x *= expf(drift + diff * rng.normal());
            avg += x;
        }
        const double pay = fmaxf(avg / fixings - c.strike, 0.f);
        s += pay; s2 += pay * pay;
    }
    for (int o = 16; o > 0; o >>= 1) {
        s += __shfl_down_sync(0xffffffffu, s, o);
        s2 += __shfl_down_sync(0xffffffffu, s2, o);
    }
    if ((threadIdx.x & 31) == 0) {
        add_double(&sums[0], s);
        add_double(&sums[1], s2);
    }
}

struct Lane {
    cudaStream_t stream{};
    double* d_sums = nullptr;
};

int main(int argc, char** argv) {
    McConfig cfg;
    if (argc > 1) cfg.contracts = std::atoi(argv[1]);
    if (argc > 2) cfg.lanes = std::atoi(argv[2]);

    std::vector<Contract> book(cfg.contracts);
    for (int i = 0; i < cfg.contracts; ++i)
        book[i] = Contract{100.f, 80.f + 40.f * i / cfg.contracts, 0.15f + 0.002f * i, 0.03f, 1.0f};

    std::vector<Lane> lanes(cfg.lanes);
    for (auto& l : lanes) {
        TRY(cudaStreamCreate(&l.stream));
        TRY(cudaMalloc(&l.d_sums, 2 * sizeof(double)));
    }
    double* h_sums = nullptr;
    TRY(cudaMallocHost(&h_sums, 2 * sizeof(double) * cfg.contracts));

    cudaEvent_t begin, end;
    TRY(cudaEventCreate(&begin));
    TRY(cudaEventCreate(&end));
    simulate<<<cfg.blocks, cfg.threads, 0, lanes[0].stream>>>(book[0], 1, cfg.fixings, 1, lanes[0].d_sums);
    TRY(cudaDeviceSynchronize());

    TRY(cudaEventRecord(begin, 0));
    for (int i = 0; i < cfg.contracts; ++i) {
        Lane& l = lanes[i % cfg.lanes];
        TRY(cudaMemset(l.d_sums, 0, 2 * sizeof(double)));
        simulate<<<cfg.blocks, cfg.threads, 0, l.stream>>>(book[i], cfg.paths_per_thread, cfg.fixings,
                                                          0x5eedULL + i, l.d_sums);
        TRY(cudaGetLastError());
        TRY(cudaMemcpyAsync(h_sums + 2 * i, l.d_sums, 2 * sizeof(double), cudaMemcpyDeviceToHost, l.stream));
    }
    TRY(cudaEventRecord(end, 0));
    TRY(cudaEventSynchronize(end));
    float ms = 0;
    TRY(cudaEventElapsedTime(&ms, begin, end));
    TRY(cudaDeviceSynchronize());

    const double paths = double(cfg.blocks) * cfg.threads * cfg.paths_per_thread;
    double value = 0;
    for (int i = 0; i < cfg.contracts; ++i) {
        const double mean = h_sums[2 * i] / paths;
        const double var = h_sums[2 * i + 1] / paths - mean * mean;
        const double disc = std::exp(-book[i].rate * book[i].years);
        if (i % 16 == 0)
            std::printf("K=%6.2f  price %.4f +- %.4f\n", book[i].strike, disc * mean, disc * std::sqrt(var / paths));
        value += disc * mean;
    }
    std::printf("book value %.4f, %d contracts on %d lanes in %.2f ms\n", value, cfg.contracts, cfg.lanes, ms);
    for (auto& l : lanes) { TRY(cudaFree(l.d_sums)); TRY(cudaStreamDestroy(l.stream)); }
    TRY(cudaFreeHost(h_sums));
    TRY(cudaEventDestroy(begin));
    TRY(cudaEventDestroy(end));
    return 0;
}
