#pragma once
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace strata {

// A slab is one pinned buffer with its counterpart on the device.
struct Slab {
    float* host = nullptr;
    float* dev = nullptr;
    std::size_t floats = 0;
};

// Fixed set of slabs.  `take` hands one out, `put` gives it back; both may be
// called from any thread.  When the pool is empty it asks its owner to make
// room through the pressure callback.
class SlabPool {
public:
    using Pressure = std::function<void()>;

    SlabPool(int count, std::size_t floats);
    ~SlabPool();
    SlabPool(const SlabPool&) = delete;
    SlabPool& operator=(const SlabPool&) = delete;

    void whenShort(Pressure p) { pressure_ = std::move(p); }
    Slab* take();
    void put(Slab* s);
    std::size_t floats() const { return floats_; }

private:
    std::size_t floats_;
    std::mutex mu_;
    std::vector<std::unique_ptr<Slab>> all_;
    std::deque<Slab*> free_;
    Pressure pressure_;
};

}  // namespace strata
