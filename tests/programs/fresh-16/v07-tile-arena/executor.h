#pragma once
#include "device_arena.h"

#include <functional>
#include <queue>

namespace tiles {

struct task_context {
    cudaStream_t stream;
    device_arena& arena;
};

// Runs type-erased tasks, in order of submission, round robin over its lanes.
class lane_executor {
public:
    using task = std::function<void(task_context&)>;

    lane_executor(device_arena& arena, int lanes) : arena_(arena), lanes_(lanes)
    {
        for (cudaStream_t& s : lanes_)
            ensure(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    }

    ~lane_executor()
    {
        for (cudaStream_t s : lanes_) cudaStreamDestroy(s);
    }

    template <typename F>
    void submit(F&& f)
    {
        queue_.emplace(std::forward<F>(f));
    }

    void dispatch()
    {
        for (std::size_t turn = 0; !queue_.empty(); ++turn) {
            task_context ctx{lanes_[turn % lanes_.size()], arena_};
            queue_.front()(ctx);
            queue_.pop();
        }
    }

    void wait()
    {
        for (cudaStream_t s : lanes_) ensure(cudaStreamSynchronize(s));
    }

private:
    device_arena& arena_;
    std::vector<cudaStream_t> lanes_;
    std::queue<task> queue_;
};

}  // namespace tiles
