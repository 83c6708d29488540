#ifndef CKPT_H
#define CKPT_H
#include "sim.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#define CKPT_DEPTH 2

struct ckpt_record {
    int block;
    int time;
    uint64_t sum;
};

struct ckpt_slot {
    void *host;
    cudaEvent_t copied;
    int block;
    int time;
    bool busy;
};

/* Slots are filled from the device and drained by one writer thread. */
struct ckpt {
    size_t bytes;
    ckpt_slot slot[NBLOCKS][CKPT_DEPTH];
    std::deque<ckpt_slot *> queue;
    std::vector<ckpt_record> archive;
    std::mutex lock;
    std::condition_variable changed;
    bool closing;
    std::thread writer;
};

void ckpt_init(ckpt *c, size_t bytes);
void ckpt_post(ckpt *c, int block, int time, const void *dev, cudaStream_t stream);
void ckpt_close(ckpt *c);
uint64_t ckpt_sum(const void *data, size_t bytes);

#endif
