#pragma once
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

void ensure(cudaError_t e);

struct FeederConfig {
    int steps = 12;
    int batch = 1 << 15;
    int slots = 3;
    int decode_ms = 15;
};

uint32_t sample_value(int step, int index);

// Decodes batches on a worker thread and hands them to a training stream in order.
class Feeder {
public:
    explicit Feeder(const FeederConfig& cfg);
    ~Feeder();
    Feeder(const Feeder&) = delete;

    const uint32_t* next(int step, cudaStream_t stream);
    void recycle(int step, cudaStream_t stream);

private:
    struct Slot {
        uint32_t* host = nullptr;
        uint32_t* device = nullptr;
        cudaEvent_t drained{};
    };
    struct Ticket {
        Feeder* feeder;
        int step;
    };
    static void CUDART_CB until_decoded(void* ticket);
    void decode_loop();
    Slot& slot(int step) { return slots_[step % cfg_.slots]; }

    FeederConfig cfg_;
    std::vector<Slot> slots_;
    std::vector<Ticket> tickets_;
    std::mutex mutex_;
    std::condition_variable changed_;
    int decoded_ = 0;
    std::thread worker_;
};
