#pragma once
#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>
#include "common.h"

// Saves weights beside the training: they are encoded to 16 bits on the device, copied into
// one of two page-locked slots and filed by a writer thread.
class Checkpointer {
public:
    struct Record {
        int step;
        std::vector<uint16_t> weights;
    };

    explicit Checkpointer(std::size_t n);
    ~Checkpointer();
    void save(int step, const float* weights, cudaStream_t producer);
    // Files what is left and hands out the archive.
    std::vector<Record> close();

private:
    struct Slot {
        uint16_t* host = nullptr;
        cudaEvent_t copied = nullptr;
        bool busy = false;
    };
    struct Job {
        int step;
        Slot* slot;
    };
    Slot& acquire();
    void write_loop();

    std::size_t n_;
    uint16_t* encoded_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t ready_ = nullptr, encoded_done_ = nullptr;
    std::array<Slot, 2> slots_;
    std::deque<Job> jobs_;
    std::vector<Record> archive_;
    bool closing_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread writer_;
};
