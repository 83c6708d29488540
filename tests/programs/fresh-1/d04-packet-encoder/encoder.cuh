#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "bounded_queue.h"

inline void gpu(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(2);
}

struct Packet {
    int frame;
    const uint32_t* words;
    size_t count;
};

using PacketQueue = BoundedQueue<Packet>;

class Encoder {
public:
    Encoder(int frames, size_t words, PacketQueue& out);
    ~Encoder();
    void submit(int frame, uint32_t key);
    void flush();

private:
    struct Delivery {
        PacketQueue* queue;
        Packet packet;
    };
    static void CUDART_CB deliver(void* user);

    size_t words_;
    PacketQueue& out_;
    cudaStream_t stream_ = nullptr;
    uint32_t* device_ = nullptr;
    uint32_t* pinned_ = nullptr;
    std::vector<std::unique_ptr<Delivery>> deliveries_;
};
