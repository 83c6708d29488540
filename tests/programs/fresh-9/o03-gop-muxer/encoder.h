#pragma once
#include "blocking_queue.h"
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#define CU_OK(x)                                              \
    do {                                                      \
        cudaError_t e_ = (x);                                 \
        if (e_ != cudaSuccess) {                              \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));  \
            std::exit(1);                                     \
        }                                                     \
    } while (0)

namespace vid {

struct Config {
    int gops = 3;
    int framesPerGop = 6;
    int macroblocks = 1024;
    size_t muxDepth = 4;
};

struct Packet {
    int gop, frame;
    const int* payload;
};

struct Gop {
    int index;
    cudaEvent_t encoded;
};

class Encoder {
public:
    Encoder(const Config& cfg, BlockingQueue<Packet>& packets, BlockingQueue<Gop>& gops);
    ~Encoder();
    void encodeGop(int gop);

private:
    struct Delivery {
        BlockingQueue<Packet>* out;
        Packet packet;
    };
    static void CUDART_CB deliver(void* p);

    Config cfg_;
    BlockingQueue<Packet>& packets_;
    BlockingQueue<Gop>& gops_;
    cudaStream_t stream_{};
    int* bits_ = nullptr;
    int* payload_ = nullptr;
    std::vector<std::unique_ptr<Delivery>> deliveries_;
    std::vector<cudaEvent_t> events_;
};

int macroblockBits(int gop, int frame, int mb);

}  // namespace vid
