#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

namespace seq {

void must(cudaError_t e);

// Page-locked buffer with the event of its last use.
struct pinned_block {
    explicit pinned_block(std::size_t bytes);
    ~pinned_block();
    pinned_block(const pinned_block&) = delete;
    pinned_block& operator=(const pinned_block&) = delete;

    void* data = nullptr;
    cudaEvent_t last_use = nullptr;
};

class lease_pool;

// Shared ownership of one block; the last owner hands it to the pool.
using lease = std::shared_ptr<pinned_block>;

class lease_pool {
public:
    explicit lease_pool(std::size_t bytes) : bytes_(bytes) {}
    ~lease_pool();

    lease acquire();
    void used_by(const lease& l, cudaStream_t stream);
    std::size_t created() const { return created_; }

private:
    void retire(std::unique_ptr<pinned_block> b) { retired_.push_back(std::move(b)); }

    std::size_t bytes_;
    std::size_t created_ = 0;
    std::deque<std::unique_ptr<pinned_block>> retired_;
};

}  // namespace seq
