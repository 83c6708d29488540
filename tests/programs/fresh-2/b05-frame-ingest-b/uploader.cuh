#pragma once
#include "ring.h"
#include <thread>

namespace ingest {

struct Job {
    int index;
    Slot* slot;
};

// Consumes decoded frames and computes a brightness figure for each on the GPU.
class Uploader {
public:
    Uploader(SlotPool& pool, Channel<Job>& jobs, int frames, size_t pixels);
    ~Uploader();

    std::vector<unsigned> collect();

private:
    void loop();
    void process(const Job& job);

    SlotPool& pool_;
    Channel<Job>& jobs_;
    int frames_;
    size_t pixels_;
    cudaStream_t stream_{};
    unsigned char* frame_ = nullptr;
    unsigned* sums_ = nullptr;
    std::thread worker_;
};

}  // namespace ingest
