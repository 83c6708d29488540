#pragma once
#include <cstdint>
#include <vector>
#include "profiler.h"

constexpr int kCells = 1 << 16;
constexpr int kHalo = 64;

// One word per worker that the device can read: the last step whose halo has arrived for it.
class Link {
public:
    Link();
    ~Link();
    void post(int to, uint32_t step);
    uint32_t* word(int worker) const { return words_ + worker * 32; }

private:
    uint32_t* words_ = nullptr;
};

class Worker {
public:
    static void preload();
    Worker(int rank, Link& link, prof::Profile& profile);
    ~Worker();
    void connect(const Worker& peer) { peer_ = &peer; }
    void run(uint32_t steps);
    std::vector<uint32_t> cells() const;
    const uint32_t* outbox(uint32_t step) const { return outbox_ + (step & 1) * kHalo; }

private:
    int rank_;
    Link& link_;
    prof::Profile& profile_;
    const Worker* peer_ = nullptr;
    uint32_t* cells_ = nullptr;
    uint32_t* outbox_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t packed_ = nullptr;
};
