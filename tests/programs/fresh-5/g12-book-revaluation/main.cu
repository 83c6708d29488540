// Overnight revaluation: four books priced at the same time, each on a lane of the executor.
#include <chrono>
#include <cmath>
#include <cstdio>

#include "executor.h"

namespace {

constexpr int kBooks = 4;
constexpr int kTrades = 8192;

__device__ unsigned long long ticks_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Monte-Carlo stand-in: 40 ms a book.
__global__ void revalue(float* value, int trades, int book) {
    const unsigned long long end = ticks_ns() + 40000000ull;
    while (ticks_ns() < end) __nanosleep(1000);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < trades; i += gridDim.x * blockDim.x)
        value[i] = float(book * 1000 + i % 100);
}

double seconds_since(std::chrono::steady_clock::time_point t) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

}  // namespace

int main() {
    try {
        float* values = nullptr;
        EXEC_CHECK(cudaMalloc(reinterpret_cast<void**>(&values), kBooks * kTrades * sizeof(float)));
        EXEC_CHECK(cudaMemset(values, 0, kBooks * kTrades * sizeof(float)));
        EXEC_CHECK(cudaDeviceSynchronize());

        exec::Executor executor(kBooks);
        auto price = [&](int book) {
            executor.submit(book % 2 ? exec::Kind::Greeks : exec::Kind::Price, [=](cudaStream_t lane) {
                revalue<<<8, 128, 0, lane>>>(values + book * kTrades, kTrades, book);
                EXEC_CHECK(cudaGetLastError());
            });
        };

        price(0);  // warm
        executor.join();

        auto start = std::chrono::steady_clock::now();
        price(0);
        executor.join();
        const double one = seconds_since(start);

        start = std::chrono::steady_clock::now();
        for (int b = 0; b < kBooks; ++b) price(b);
        executor.join();
        const double all = seconds_since(start);

        EXEC_CHECK(cudaDeviceSynchronize());
        std::vector<float> host(kBooks * kTrades);
        EXEC_CHECK(cudaMemcpy(host.data(), values, host.size() * sizeof(float), cudaMemcpyDeviceToHost));
        int wrong = 0;
        for (int b = 0; b < kBooks; ++b)
            for (int i = 0; i < kTrades; ++i)
                if (host[b * kTrades + i] != float(b * 1000 + i % 100)) ++wrong;
        const auto counts = executor.telemetry().snapshot();
        if (counts[0] != 4 || counts[1] != 2) ++wrong;
        EXEC_CHECK(cudaFree(values));

        std::printf("one book %.1f ms, %d books %.1f ms\n", one * 1e3, kBooks, all * 1e3);
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else if (all > 1.5 * one)
            std::printf("SLOW %.2f\n", all / one);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const exec::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
