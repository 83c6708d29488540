// Replays recorded fills through the device, batch by batch.
#pragma once

#include "book.h"

#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#define CU_TRY(call)                                                   \
    do {                                                               \
        cudaError_t status_ = (call);                                  \
        if (status_ != cudaSuccess) {                                  \
            std::printf("ERROR %s\n", cudaGetErrorName(status_));      \
            std::fflush(stdout);                                       \
            std::_Exit(3);                                             \
        }                                                              \
    } while (0)

namespace desk {

struct Fill {
    int symbol;
    int quantity;      // negative for sales
};

class ReplayEngine final : public Upstream {
public:
    ReplayEngine(Book& book, std::size_t symbols, std::size_t fillsPerBatch);
    ~ReplayEngine() override;

    void submit(const std::vector<Fill>& batch);
    void settle() override;

private:
    static constexpr std::size_t kDepth = 4;

    struct Slot {
        ReplayEngine* owner = nullptr;
        Fill* hostFills = nullptr;
        int* hostDelta = nullptr;
        Fill* fills = nullptr;
        int* delta = nullptr;
        cudaEvent_t delivered = nullptr;
    };

    static void CUDART_CB deliver(void* arg);

    Book& book_;
    std::size_t symbols_;
    std::size_t capacity_;
    std::size_t next_ = 0;
    cudaStream_t stream_ = nullptr;
    std::array<Slot, kDepth> ring_;
};

} // namespace desk
