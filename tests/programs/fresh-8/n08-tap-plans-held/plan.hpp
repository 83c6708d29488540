#ifndef TAPS_PLAN_HPP
#define TAPS_PLAN_HPP

#include <memory>
#include <vector>

#include "pinned_pool.hpp"

namespace taps {

/// What all plans of a device share: a stream, a bank for the taps of the
/// filter that is being run, and staging memory.
struct Engine {
    static constexpr int kMaxTaps = 64;

    Engine();
    ~Engine();

    cudaStream_t stream = nullptr;
    float* bank = nullptr;
    PinnedPool staging;
};

/// A filter, planned once for given buffers and executed many times.
class Plan {
public:
    Plan(Engine& e, const std::vector<float>& taps, const float* in, float* out, int n);
    ~Plan();
    Plan(const Plan&) = delete;
    void exec();

private:
    void uploadTaps(const std::vector<float>& taps);

    Engine& engine_;
    std::vector<PinnedPool::Lease> blocks_;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace taps
#endif
