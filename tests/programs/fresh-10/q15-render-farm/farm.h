#pragma once
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace farm {

constexpr int kTilePixels = 64 * 64;

inline void demand(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

// What a worker brings to a job.
struct Node {
    cudaStream_t stream = nullptr;
    int* tile = nullptr;
};

class RenderFarm {
public:
    explicit RenderFarm(int nodes);
    ~RenderFarm();

    // Renders a tile into pixels, which are page-locked.
    std::future<void> render(int tile, int* pixels);
    void settle();

private:
    using Job = std::packaged_task<void(Node&)>;
    void serve(Node& node);

    std::vector<Node> nodes_;
    std::mutex mutex_;
    std::condition_variable work_;
    std::deque<Job> jobs_;
    bool closing_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace farm
