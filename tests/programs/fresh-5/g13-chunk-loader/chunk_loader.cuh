// Streams chunks of host data through a device functor, several in flight.
#pragma once
#include <array>
#include <utility>

#include "host_alloc.h"

namespace loader {

template <class Fn>
__global__ void transform(const float* in, float* out, std::size_t n, unsigned* processed, Fn fn) {
    fn.prepare();
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = fn(in[i]);
    if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd(processed, 1u);
}

struct Chunk {
    Buffer<float> in, out;
    explicit Chunk(std::size_t n) : in(n), out(n) {}
};

template <std::size_t Lanes>
class ChunkLoader {
public:
    explicit ChunkLoader(std::size_t chunk) : chunk_(chunk) {
        check(cudaMalloc(reinterpret_cast<void**>(&processed_), sizeof(unsigned)));
        check(cudaMemset(processed_, 0, sizeof(unsigned)));
        for (Lane& l : lanes_) {
            check(cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking));
            check(cudaEventCreateWithFlags(&l.free, cudaEventDisableTiming));
            check(cudaMalloc(reinterpret_cast<void**>(&l.in), chunk_ * sizeof(float)));
            check(cudaMalloc(reinterpret_cast<void**>(&l.out), chunk_ * sizeof(float)));
        }
        check(cudaDeviceSynchronize());
    }

    ~ChunkLoader() {
        for (Lane& l : lanes_) {
            cudaStreamSynchronize(l.stream);
            cudaEventDestroy(l.free);
            cudaStreamDestroy(l.stream);
            cudaFree(l.in);
            cudaFree(l.out);
        }
        cudaFree(processed_);
    }
    ChunkLoader(const ChunkLoader&) = delete;
    ChunkLoader& operator=(const ChunkLoader&) = delete;

    template <class Fn>
    void process(std::vector<Chunk>& chunks, Fn fn) {
        for (std::size_t k = 0; k < chunks.size(); ++k) {
            Lane& l = lanes_[k % Lanes];
            check(cudaEventSynchronize(l.free));
            check(cudaMemcpyAsync(l.in, chunks[k].in.data(), chunk_ * sizeof(float), cudaMemcpyDefault, l.stream));
            transform<<<8, 256, 0, l.stream>>>(l.in, l.out, chunk_, processed_, fn);
            check(cudaGetLastError());
            check(cudaMemcpyAsync(chunks[k].out.data(), l.out, chunk_ * sizeof(float), cudaMemcpyDefault, l.stream));
            check(cudaEventRecord(l.free, l.stream));
        }
        for (Lane& l : lanes_) check(cudaEventSynchronize(l.free));
    }

    unsigned processed() const {
        unsigned n = 0;
        check(cudaMemcpy(&n, processed_, sizeof n, cudaMemcpyDeviceToHost));
        return n;
    }

private:
    struct Lane {
        cudaStream_t stream = nullptr;
        cudaEvent_t free = nullptr;
        float *in = nullptr, *out = nullptr;
    };

    std::size_t chunk_;
    unsigned* processed_ = nullptr;
    std::array<Lane, Lanes> lanes_;
};

}  // namespace loader
