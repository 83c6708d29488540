#pragma once
#include <cuda_runtime.h>
#include <memory>
#include <stdexcept>
#include <vector>

namespace prof {

inline void check(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

// Events that go back to the pool with the last handle.
class EventPool {
    struct Returner {
        EventPool* pool;
        void operator()(cudaEvent_t e) const { pool->idle_.push_back(e); }
    };

public:
    using Handle = std::unique_ptr<CUevent_st, Returner>;

    EventPool() = default;
    EventPool(const EventPool&) = delete;
    EventPool& operator=(const EventPool&) = delete;
    ~EventPool()
    {
        for (cudaEvent_t e : idle_) cudaEventDestroy(e);
    }

    Handle get()
    {
        cudaEvent_t e = nullptr;
        if (idle_.empty()) {
            check(cudaEventCreate(&e));
        } else {
            e = idle_.back();
            idle_.pop_back();
        }
        return Handle(e, Returner{this});
    }

private:
    std::vector<cudaEvent_t> idle_;
};

}  // namespace prof
