#include "staging.hpp"

#include <cstdio>
#include <cstdlib>

namespace reads {

void require(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

Staging::Staging(int blocks, std::size_t bytes) : bytes_(bytes), blocks_(blocks) {
    for (Block& b : blocks_) {
        require(cudaHostAlloc(reinterpret_cast<void**>(&b.bases), bytes, cudaHostAllocDefault));
        idle_.push_back(&b);
    }
}

Staging::~Staging() {
    for (Block& b : blocks_) cudaFreeHost(b.bases);
}

Staging::Lease Staging::lease() {
    std::unique_lock<std::mutex> lock(mutex_);
    returned_.wait(lock, [this] { return !idle_.empty(); });
    Block* b = idle_.front();
    idle_.erase(idle_.begin());
    b->used = 0;
    return Lease(b, Return{this});
}

void Staging::put(Block* b) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        idle_.push_back(b);
    }
    returned_.notify_one();
}

}  // namespace reads
