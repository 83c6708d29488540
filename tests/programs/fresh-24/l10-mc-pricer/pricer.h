#pragma once
#include <cuda_runtime.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace mc {

// Called on the host with the sum of a batch, in the order of the batches.
using Sink = std::function<void(int batch, std::uint32_t sum)>;

class Pricer {
public:
    static constexpr int kLanes = 4;
    static constexpr int kInFlight = 2 * kLanes;

    explicit Pricer(int paths);
    ~Pricer();
    Pricer(const Pricer&) = delete;
    Pricer& operator=(const Pricer&) = delete;

    void run(int first, int last, const Sink& sink);

private:
    void submit(int batch);
    void primePool();

    int paths_;
    std::size_t scratch_ = 0;
    cudaMemPool_t pool_{};
    std::uint32_t* sums_ = nullptr;  // page-locked, one per batch in flight
    std::array<cudaStream_t, kLanes> lanes_{};
    std::array<cudaEvent_t, kInFlight> done_{};
};

}  // namespace mc
