#pragma once
// A "team" is a set of ranks inside one process. Every rank is a host thread
// that owns one horizontal slab of the furnace wall and two streams.
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#define CU(call)                                              \
    do {                                                      \
        cudaError_t status_ = (call);                         \
        if (status_ != cudaSuccess) {                         \
            std::printf("ERROR %s\n", cudaGetErrorName(status_)); \
            std::fflush(stdout);                              \
            std::_Exit(1);                                    \
        }                                                     \
    } while (0)

class Rendezvous {
public:
    explicit Rendezvous(int parties) : parties_(parties) {}

    void arrive() {
        std::unique_lock<std::mutex> lock(mutex_);
        const long round = round_;
        if (++waiting_ == parties_) {
            waiting_ = 0;
            ++round_;
            changed_.notify_all();
            return;
        }
        changed_.wait(lock, [&] { return round_ != round; });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    const int parties_;
    int waiting_ = 0;
    long round_ = 0;
};

struct Geometry {
    int ranks = 3;
    int rows = 48;     // rows of one slab, without the two ghost rows
    int width = 256;
    int steps = 12;
    double alpha = 0.2;
    double hot = 100.0;   // furnace side, above rank 0
    double cold = 10.0;   // outside, below the last rank
};
