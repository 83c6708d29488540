#pragma once
#include "bus.h"
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#define SETTLE_CALL(expr)                                        \
    do {                                                         \
        cudaError_t e_ = (expr);                                 \
        if (e_ != cudaSuccess) {                                 \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));     \
            std::fflush(stdout);                                 \
            std::_Exit(1);                                       \
        }                                                        \
    } while (0)

namespace settle {

struct NetResult {
    int batch;
    long long net;
};

using ResultBus = BoundedBus<NetResult>;

// One lane nets whole batches of signed trade quantities.
class Lane {
public:
    Lane(ResultBus& bus, int max_batches, int trades);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    void submit(int batch, const std::vector<int>& quantities);
    void quiesce();

private:
    struct Ticket {
        ResultBus* bus;
        int batch;
        const long long* net;
    };
    static void CUDART_CB deliver(void* arg);

    ResultBus& bus_;
    int trades_, used_ = 0;
    cudaStream_t stream_{};
    int* h_in_{};
    int* d_in_{};
    long long* h_net_{};
    long long* d_net_{};
    std::vector<std::unique_ptr<Ticket>> tickets_;
};

} // namespace settle
