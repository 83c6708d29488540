#pragma once
#include "graph.h"

#include <memory>

namespace loom {

struct Profile {
    std::vector<float> samples_ms;
    float median_ms() const;
    float best_ms() const;
};

// Lane 0 is the stream of the caller; the others belong to the executor.
class Lanes {
public:
    explicit Lanes(int count);
    ~Lanes();
    Lanes(const Lanes&) = delete;
    Lanes& operator=(const Lanes&) = delete;

    void fork(cudaStream_t from);
    void join(cudaStream_t into);
    cudaStream_t at(int lane, cudaStream_t caller) const { return lane == 0 ? caller : own_.at(lane - 1); }
    int count() const { return static_cast<int>(own_.size()) + 1; }

private:
    std::vector<cudaStream_t> own_;
    std::vector<cudaEvent_t> tails_;
    cudaEvent_t head_ = nullptr;
};

class Executor {
public:
    explicit Executor(int lanes);
    ~Executor();

    // Enqueues one pass behind what `stream` holds; later work in `stream` comes after the pass.
    void run(const Graph& graph, cudaStream_t stream);

    // Device time of a pass in steady state. Waits for the passes to end.
    Profile profile(const Graph& graph, cudaStream_t stream, int passes);

private:
    void dispatch(const Graph& graph, cudaStream_t caller);
    cudaEvent_t finished(std::size_t node);

    Lanes lanes_;
    std::vector<cudaEvent_t> finished_;
};

}  // namespace loom
