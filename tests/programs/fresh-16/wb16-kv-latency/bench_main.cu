#include <algorithm>
#include <cstdio>

#include "store.cuh"

int main() {
    using namespace kv;
    constexpr std::uint32_t kEntries = 1u << 18;
    constexpr int kKeys = 1 << 14, kWarm = 3, kRequests = 20;

    cudaStream_t stream = nullptr;
    guard(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaEvent_t first = nullptr, last = nullptr;
    guard(cudaEventCreate(&first));
    guard(cudaEventCreate(&last));

    int wrong = 0;
    double reported = 0;
    float span = 0;
    {
        Store store(20);
        store.fill(kEntries, stream);

        std::uint32_t *h_keys = nullptr, *h_values = nullptr, *keys = nullptr, *values = nullptr;
        guard(cudaHostAlloc(&h_keys, kKeys * sizeof(std::uint32_t), cudaHostAllocDefault));
        guard(cudaHostAlloc(&h_values, kKeys * sizeof(std::uint32_t), cudaHostAllocDefault));
        guard(cudaMalloc(&keys, kKeys * sizeof(std::uint32_t)));
        guard(cudaMalloc(&values, kKeys * sizeof(std::uint32_t)));
        for (int i = 0; i < kKeys; ++i) h_keys[i] = (std::uint32_t(i) * 7919u) % kEntries;

        auto request = [&](cudaStream_t s) {
            guard(cudaMemcpyAsync(keys, h_keys, kKeys * sizeof(std::uint32_t), cudaMemcpyHostToDevice, s));
            store.get(keys, values, kKeys, s);
            guard(cudaMemcpyAsync(h_values, values, kKeys * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, s));
        };

        Probe<SteadyClock> warm(stream);
        for (int i = 0; i < kWarm; ++i) warm.measure(request);
        warm.mean_ms();

        Probe<SteadyClock> probe(stream);
        guard(cudaEventRecord(first, stream));
        for (int i = 0; i < kRequests; ++i) probe.measure(request);
        guard(cudaEventRecord(last, stream));
        reported = probe.mean_ms();

        guard(cudaEventSynchronize(last));
        guard(cudaEventElapsedTime(&span, first, last));
        for (int i = 0; i < kKeys; ++i) wrong += h_values[i] != Store::value_of(h_keys[i]);

        guard(cudaFree(values));
        guard(cudaFree(keys));
        guard(cudaFreeHost(h_values));
        guard(cudaFreeHost(h_keys));
    }
    guard(cudaEventDestroy(last));
    guard(cudaEventDestroy(first));
    guard(cudaStreamDestroy(stream));

    std::fprintf(stderr, "get: %.3f ms\n", reported);
    const double honest = double(span) / kRequests;
    const double ratio = std::max(reported, honest) / std::max(std::min(reported, honest), 1e-3);
    if (wrong) std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return wrong != 0 || ratio > 1.5;
}
