#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace weights {

// Which slots of the page locked slab are lent.
class SlotBoard {
public:
    explicit SlotBoard(int slots) : lent_(slots, false) {}
    int take();  // -1 when all are lent
    void give(int slot);
    int lent() const;

private:
    mutable std::mutex mutex_;
    std::vector<bool> lent_;
};

// Small page locked blocks for values on their way to the device.
class Staging {
public:
    Staging(int slots, size_t floats);
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    cudaError_t status() const { return status_; }
    int take() { return board_->take(); }
    float* at(int slot) { return slab_ + slot * floats_; }
    // Returns the slot when `stream`, or the graph being captured in it, has
    // no further use for it.
    cudaError_t release(int slot, cudaStream_t stream);
    int lent() const { return board_->lent(); }

private:
    std::shared_ptr<SlotBoard> board_;
    size_t floats_;
    float* slab_ = nullptr;
    cudaError_t status_;
};

}  // namespace weights
