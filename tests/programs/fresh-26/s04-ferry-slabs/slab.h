#pragma once
// ferry: quantised uploads from ordinary host memory through pinned slabs.
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace ferry {

struct Error : std::runtime_error {
    explicit Error(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)) {}
};

#define FERRY_CHECK(call)                                   \
    do {                                                    \
        cudaError_t ferry_status_ = (call);                 \
        if (ferry_status_ != cudaSuccess) throw ::ferry::Error(ferry_status_); \
    } while (0)

// A pinned host area and the device area of the same size that mirrors it.
class Slab {
public:
    explicit Slab(std::size_t bytes);
    ~Slab();
    Slab(const Slab&) = delete;
    Slab& operator=(const Slab&) = delete;

    std::size_t room() const { return bytes_ - used_; }
    std::size_t append(const void* src, std::size_t bytes);
    void seal(cudaStream_t stream);
    void reopen();

    const std::uint8_t* host(std::size_t at) const { return host_ + at; }
    std::uint8_t* mirror(std::size_t at) const { return mirror_ + at; }

private:
    std::uint8_t* host_ = nullptr;
    std::uint8_t* mirror_ = nullptr;
    std::size_t bytes_;
    std::size_t used_ = 0;
    cudaEvent_t drained_ = nullptr;
    bool sealed_ = false;
};

class SlabPool {
public:
    struct Returner {
        SlabPool* pool;
        void operator()(Slab* slab) const { pool->give(slab); }
    };
    using Handle = std::unique_ptr<Slab, Returner>;

    SlabPool(int count, std::size_t bytes);
    Handle take();

private:
    void give(Slab* slab);

    std::vector<std::unique_ptr<Slab>> all_;
    std::deque<Slab*> idle_;
    std::mutex mutex_;
    std::condition_variable returned_;
};

}  // namespace ferry
