#pragma once
#include <cuda_runtime.h>

#include <array>
#include <cstddef>

namespace plates {

// What a family of kernels asks of a launch.
enum class Family { kStreaming, kIterative };

// Collects the pieces of a launch; the families' settings live in one place.
class LaunchSpec {
public:
    explicit LaunchSpec(Family family) {
        switch (family) {
            case Family::kIterative: {
                cudaLaunchAttribute& a = attrs_[count_++];
                a.id = cudaLaunchAttributeCooperative;
                a.val.cooperative = 1;
                break;
            }
            case Family::kStreaming:
                break;
        }
        config_.attrs = attrs_.data();
    }

    LaunchSpec(const LaunchSpec&) = delete;
    LaunchSpec& operator=(const LaunchSpec&) = delete;

    LaunchSpec& blocks(unsigned n) {
        config_.gridDim = dim3(n);
        return *this;
    }
    LaunchSpec& threads(unsigned n) {
        config_.blockDim = dim3(n);
        return *this;
    }
    LaunchSpec& on(cudaStream_t s) {
        config_.stream = s;
        return *this;
    }

    template <class... P, class... A>
    cudaError_t operator()(void (*kernel)(P...), A... args) {
        config_.numAttrs = count_;
        return cudaLaunchKernelEx(&config_, kernel, P(args)...);
    }

private:
    cudaLaunchConfig_t config_{};
    std::array<cudaLaunchAttribute, 4> attrs_{};
    unsigned count_ = 0;
};

// Shares out the device among solvers that run at the same time.
class BlockBudget {
public:
    BlockBudget(int multiprocessors, int solvers) : sms_(multiprocessors), solvers_(solvers) {}

    template <class Kernel>
    cudaError_t share(Kernel kernel, int threads, unsigned work, unsigned* blocks) const {
        int per_sm = 0;
        const cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, threads, 0);
        if (e != cudaSuccess) return e;
        const unsigned most = static_cast<unsigned>(per_sm * sms_ / solvers_);
        *blocks = most < work ? most : work;
        return *blocks ? cudaSuccess : cudaErrorCooperativeLaunchTooLarge;
    }

private:
    int sms_;
    int solvers_;
};

}  // namespace plates
