// pool.h - slabs cut into equal blocks, host and device side
#pragma once

#include "ilist.h"

#include <cuda_runtime.h>

#include <cstddef>

namespace ticks {

struct Tick {
    unsigned instrument;
    unsigned volume;
};

constexpr int kTicksPerBlock = 16384;
constexpr std::size_t kBlockBytes = kTicksPerBlock * sizeof(Tick);

// a block of the pinned slab
struct HostBlock : Link {
    Tick *ticks = nullptr;
};

// a block of the device slab, with the event after which it is idle
struct DeviceBlock : Link {
    Tick       *ticks = nullptr;
    cudaEvent_t idle = nullptr;
};

class HostPool {
public:
    explicit HostPool(int blocks);
    ~HostPool();
    HostPool(const HostPool &) = delete;
    HostPool &operator=(const HostPool &) = delete;

    HostBlock *take();
    void give(HostBlock *b) { free_.push_front(b); }

private:
    Tick           *slab_ = nullptr;
    HostBlock      *blocks_ = nullptr;
    List<HostBlock> free_;
};

class DevicePool {
public:
    explicit DevicePool(int blocks);
    ~DevicePool();
    DevicePool(const DevicePool &) = delete;
    DevicePool &operator=(const DevicePool &) = delete;

    DeviceBlock *take();
    void give(DeviceBlock *b, cudaStream_t last_user);

private:
    int               count_;
    Tick             *slab_ = nullptr;
    DeviceBlock      *blocks_ = nullptr;
    List<DeviceBlock> free_;
    List<DeviceBlock> busy_;
};

// holds a host block for the length of a scope
class Lease {
public:
    explicit Lease(HostPool &p) : pool_(p), block_(p.take()) {}
    ~Lease() { if (block_) pool_.give(block_); }
    Lease(const Lease &) = delete;
    Lease &operator=(const Lease &) = delete;

    explicit operator bool() const { return block_ != nullptr; }
    Tick *ticks() const { return block_->ticks; }

private:
    HostPool  &pool_;
    HostBlock *block_;
};

void fatal_if(cudaError_t e);

} // namespace ticks
