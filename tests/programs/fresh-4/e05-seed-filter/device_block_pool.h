#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace seq {

struct DeviceBlock {
    std::uint8_t* data = nullptr;
    std::size_t bytes = 0;
    explicit DeviceBlock(std::size_t n);
    ~DeviceBlock();
    DeviceBlock(const DeviceBlock&) = delete;
    DeviceBlock& operator=(const DeviceBlock&) = delete;
};

using BlockRef = std::shared_ptr<DeviceBlock>;

// Recycles equally sized device blocks. A block goes back to the pool when the
// last reference to it is dropped. The pool outlives every reference.
class DeviceBlockPool {
public:
    DeviceBlockPool(std::size_t block_bytes, std::size_t preallocate);

    BlockRef acquire();
    std::size_t blocks() const { return storage_.size(); }

private:
    void recycle(DeviceBlock* block);

    std::size_t block_bytes_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<DeviceBlock>> storage_;
    std::vector<DeviceBlock*> free_;
};

}  // namespace seq
