#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "bounded_queue.h"

namespace codec {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void ok(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

struct Packet {
    int pts = 0;
    const std::uint8_t* payload = nullptr;
    std::size_t bytes = 0;
};

using PacketQueue = BoundedQueue<Packet>;

class Encoder {
public:
    Encoder(std::size_t frameBytes, int maxFrames, PacketQueue& out);
    ~Encoder();
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    void submit(int pts);
    void flush();

private:
    struct Delivery {
        PacketQueue* queue;
        Packet packet;
    };
    static void CUDART_CB deliver(void* arg);

    std::size_t frameBytes_;
    PacketQueue& out_;
    cudaStream_t stream_ = nullptr;
    std::uint8_t* coded_ = nullptr;
    std::uint8_t* bitstream_ = nullptr;
};

}  // namespace codec
