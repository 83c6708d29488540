#pragma once

#include <cuda_runtime.h>

#include <deque>
#include <vector>

#include "writer.h"

#define SEIS_CHECK(call)                                              \
    do {                                                              \
        cudaError_t e_ = (call);                                      \
        if (e_ != cudaSuccess) seis::fail(e_);                        \
    } while (0)

namespace seis {

[[noreturn]] void fail(cudaError_t e);

struct Survey {
    int gathers = 16;
    int traces = 48;
    int samples = 512;
    int slots = 3;
    int points() const { return traces * samples; }
};

class Acquisition {
public:
    Acquisition(const Survey& survey, TraceWriter& writer);
    ~Acquisition();

    void enqueue(int gather);
    void drain();

private:
    struct Ticket {
        TraceWriter* writer;
        GatherView view;
    };
    static void CUDART_CB onReserve(void* user);
    static void CUDART_CB onReady(void* user);

    Survey survey_;
    TraceWriter& writer_;
    std::deque<Ticket> tickets_;
    std::vector<float*> slots_;
    cudaStream_t stream_ = nullptr;
    float* raw_ = nullptr;
    float* moved_ = nullptr;
};

}  // namespace seis
