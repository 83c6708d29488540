// Latency sheet of the quote pricer: time from the moment a batch reaches the
// device to the moment its prices can be read, and the time of a whole burst.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "stopwatch.h"

using quotes::Clock;

#define Q(call)                                                         \
    do {                                                                \
        if (cudaError_t q_ = (call)) {                                  \
            std::printf("ERROR %s\n", cudaGetErrorName(q_));            \
            std::exit(1);                                               \
        }                                                               \
    } while (0)

namespace {

constexpr int kDesks = 3;
constexpr int kBatches = 5;
constexpr int kQuotes = 2048;
constexpr unsigned long long kModelNs = 12000000ull;

__host__ __device__ inline uint32_t price(uint32_t ref, uint32_t seq) { return ref * 33u + (seq ^ 0x5bd1e995u); }

__global__ void price_batch(const uint32_t* ref, uint32_t* out, uint32_t seq, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (int i = threadIdx.x; i < kQuotes; i += blockDim.x) out[i] = price(ref[i], seq);
}

struct Desk {
    cudaStream_t stream = nullptr;
    uint32_t* d_ref = nullptr;
    uint32_t* d_out = nullptr;
    uint32_t* ref = nullptr;   // page-locked
    uint32_t* out = nullptr;   // page-locked, one row a batch
    cudaEvent_t mark[2] = {nullptr, nullptr};
};

void open(Desk& d, int id) {
    Q(cudaStreamCreateWithFlags(&d.stream, cudaStreamNonBlocking));
    Q(cudaMalloc(&d.d_ref, kQuotes * sizeof(uint32_t)));
    Q(cudaMalloc(&d.d_out, kQuotes * sizeof(uint32_t)));
    Q(cudaMallocHost(&d.ref, kQuotes * sizeof(uint32_t)));
    Q(cudaMallocHost(&d.out, kBatches * kQuotes * sizeof(uint32_t)));
    for (int i = 0; i < kQuotes; ++i) d.ref[i] = static_cast<uint32_t>(id * 100000 + i * 7);
    for (auto& m : d.mark) Q(cudaEventCreate(&m));
}

void close(Desk& d) {
    for (auto& m : d.mark) Q(cudaEventDestroy(m));
    Q(cudaFreeHost(d.ref));
    Q(cudaFreeHost(d.out));
    Q(cudaFree(d.d_ref));
    Q(cudaFree(d.d_out));
    Q(cudaStreamDestroy(d.stream));
}

void enqueue(Desk& d, int batch) {
    Q(cudaMemcpyAsync(d.d_ref, d.ref, kQuotes * sizeof(uint32_t), cudaMemcpyHostToDevice, d.stream));
    price_batch<<<1, 256, 0, d.stream>>>(d.d_ref, d.d_out, static_cast<uint32_t>(batch), kModelNs);
    Q(cudaGetLastError());
    Q(cudaMemcpyAsync(d.out + batch * kQuotes, d.d_out, kQuotes * sizeof(uint32_t), cudaMemcpyDeviceToHost,
                      d.stream));
}

double burst(Desk* desks, quotes::Tally& tally) {
    const auto t0 = Clock::now();
    for (int b = 0; b < kBatches; ++b) {
        for (int k = 0; k < kDesks; ++k) {
            const int id = b * kDesks + k;
            Q(quotes::post(desks[k].stream, [&tally, id] { tally.started(id); }));
            enqueue(desks[k], b);
            Q(quotes::post(desks[k].stream, [&tally, id] { tally.finished(id); }));
        }
    }
    return std::chrono::duration<double, std::milli>(tally.wait_closed() - t0).count();
}

double audit_burst(Desk* desks, double* batch_ms) {
    const auto t0 = Clock::now();
    for (int b = 0; b < kBatches; ++b) {
        for (int k = 0; k < kDesks; ++k) {
            if (b == 0) Q(cudaEventRecord(desks[k].mark[0], desks[k].stream));
            enqueue(desks[k], b);
        }
    }
    for (int k = 0; k < kDesks; ++k) Q(cudaEventRecord(desks[k].mark[1], desks[k].stream));
    Q(cudaDeviceSynchronize());
    const double wall = std::chrono::duration<double, std::milli>(Clock::now() - t0).count();
    *batch_ms = 0;
    for (int k = 0; k < kDesks; ++k) {
        float ms = 0;
        Q(cudaEventElapsedTime(&ms, desks[k].mark[0], desks[k].mark[1]));
        *batch_ms += ms / kBatches / kDesks;
    }
    return wall;
}

double apart(double a, double b) { return a > b ? a / b : b / a; }

}  // namespace

int main() {
    Desk desks[kDesks];
    for (int k = 0; k < kDesks; ++k) open(desks[k], k);
    {
        quotes::Tally first(kBatches * kDesks);
        burst(desks, first);
    }
    for (auto& d : desks) std::fill(d.out, d.out + kBatches * kQuotes, 0u);

    quotes::Tally tally(kBatches * kDesks);
    const double wall = burst(desks, tally);
    long wrong = 0;
    for (const auto& d : desks) {
        for (int b = 0; b < kBatches; ++b) {
            for (int i = 0; i < kQuotes; ++i) {
                wrong += d.out[b * kQuotes + i] != price(d.ref[i], static_cast<uint32_t>(b));
            }
        }
    }
    double batch_ms = 0;
    const double audited = audit_burst(desks, &batch_ms);
    std::fprintf(stderr, "burst %.1f ms (%.1f), batch %.2f ms (%.2f)\n", wall, audited, tally.mean_ms(), batch_ms);
    const double ratio = std::max(apart(wall, audited), apart(tally.mean_ms(), batch_ms));

    Q(cudaDeviceSynchronize());
    for (auto& d : desks) close(d);
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
