#include <chrono>
#include <cstdio>

#include "engine.h"

namespace {

constexpr int kRequests = 24;
constexpr int kWorkers = 4;
constexpr int kElements = 4096;

double timed(Engine& engine, const std::vector<Request>& requests) {
    guard(cudaDeviceSynchronize());
    const auto t0 = std::chrono::steady_clock::now();
    for (const auto& r : requests) engine.serve(r);
    engine.flush();
    guard(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count();
}

}  // namespace

int main() {
    std::vector<uint32_t> host(kElements);
    for (int i = 0; i < kElements; ++i) host[i] = i * 40503u + 5u;
    uint32_t *input = nullptr, *output = nullptr;
    guard(cudaMalloc(reinterpret_cast<void**>(&input), kElements * sizeof(uint32_t)));
    guard(cudaMalloc(reinterpret_cast<void**>(&output), sizeof(uint32_t) * kElements * kRequests));
    guard(cudaMemcpy(input, host.data(), kElements * sizeof(uint32_t), cudaMemcpyHostToDevice));

    std::vector<Request> requests;
    for (int id = 0; id < kRequests; ++id) requests.push_back({id, input, output + id * kElements, kElements});

    int wrong = 0;
    double ratio = 1;
    {
        Audit audit(kRequests);
        Engine engine = Engine::Builder().workers(kWorkers).after_request(audit.hook()).build();

        const double single = timed(engine, {requests[0]});
        const double first = timed(engine, {requests[0]});
        const double one = first < single ? first : single;
        const double all = timed(engine, requests);
        ratio = all / (one * kRequests / kWorkers);

        uint32_t want = 0;
        for (int i = 0; i < kElements; ++i) want ^= host[i] * 2654435761u + i;
        for (uint32_t sum : audit.read()) wrong += sum != want;
    }
    guard(cudaFree(input));
    guard(cudaFree(output));

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
