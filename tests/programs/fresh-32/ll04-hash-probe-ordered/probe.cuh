#pragma once
#include <atomic>
#include <cstdint>
#include <thread>

#include "device.h"

namespace db {

constexpr int kBatch = 128;
constexpr std::uint32_t kAbsent = 0xffffffffu;

struct Entry {
    std::uint32_t key;
    std::uint32_t row;
};

enum class ProbeError { none, too_large, closed };

// Lives in mapped host memory; both sides only use aligned 32-bit words.
struct Mailbox {
    volatile std::uint32_t ticket;
    volatile std::uint32_t served;
    volatile std::uint32_t quit;
    volatile std::uint32_t count;
    volatile std::uint32_t keys[kBatch];
    volatile std::uint32_t rows[kBatch];
};

__global__ void probe_loop(Mailbox* box, const Entry* const* table, const std::uint32_t* mask);

// Keeps one block on the device that answers lookups without a launch per query.
class ProbeService {
public:
    ProbeService() {
        DB_CUDA(cudaHostAlloc(reinterpret_cast<void**>(&box_), sizeof(Mailbox), cudaHostAllocMapped));
        DB_CUDA(cudaHostAlloc(reinterpret_cast<void**>(&bind_), sizeof(Binding), cudaHostAllocMapped));
        box_->ticket = box_->served = box_->quit = box_->count = 0;
        DB_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ProbeService(const ProbeService&) = delete;
    ~ProbeService() {
        box_->quit = 1;
        std::atomic_thread_fence(std::memory_order_seq_cst);
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
        cudaFreeHost(bind_);
        cudaFreeHost(box_);
    }

    void start(const Entry* table, std::uint32_t mask);
    ProbeError lookup(const std::uint32_t* keys, int n, std::uint32_t* rows);

private:
    struct Binding {
        const Entry* table;
        std::uint32_t mask;
    };
    Mailbox* box_ = nullptr;
    Binding* bind_ = nullptr;
    cudaStream_t stream_{};
};

}  // namespace db
