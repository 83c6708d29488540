#ifndef EVENT_POOL_H
#define EVENT_POOL_H

#include <cuda_runtime_api.h>

#include <vector>

// Timing events, created once and used again.
class EventPool {
public:
    ~EventPool() {
        for (cudaEvent_t e : all_) cudaEventDestroy(e);
    }

    cudaError_t grow(int count) {
        for (int i = 0; i < count; ++i) {
            cudaEvent_t e = nullptr;
            const cudaError_t code = cudaEventCreate(&e);
            if (code != cudaSuccess) return code;
            all_.push_back(e);
            idle_.push_back(e);
        }
        return cudaSuccess;
    }

    cudaEvent_t take() {
        if (idle_.empty()) return nullptr;
        cudaEvent_t e = idle_.back();
        idle_.pop_back();
        return e;
    }

    void put(cudaEvent_t e) { idle_.push_back(e); }
    bool has(std::size_t count) const { return idle_.size() >= count; }

private:
    std::vector<cudaEvent_t> all_, idle_;
};

#endif
