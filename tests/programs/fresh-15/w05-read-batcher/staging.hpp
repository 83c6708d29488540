#pragma once
#include <cuda_runtime_api.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace reads {

void require(cudaError_t e);

struct Block {
    std::uint8_t* bases = nullptr;
    std::size_t used = 0;
};

// A handful of pinned blocks that circulate between the parser and the device.
class Staging {
public:
    struct Return {
        Staging* home = nullptr;
        void operator()(Block* b) const { home->put(b); }
    };
    using Lease = std::unique_ptr<Block, Return>;

    Staging(int blocks, std::size_t bytes);
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    Lease lease();
    std::size_t blockBytes() const { return bytes_; }

private:
    void put(Block* b);

    std::size_t bytes_;
    std::mutex mutex_;
    std::condition_variable returned_;
    std::vector<Block> blocks_;
    std::vector<Block*> idle_;
};

}  // namespace reads
