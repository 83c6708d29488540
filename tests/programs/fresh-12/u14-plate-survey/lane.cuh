#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include "plate.cuh"

#define REQUIRE(x)                                                                 \
    if (cudaError_t e_ = (x)) {                                                    \
        std::printf("ERROR %s\n", cudaGetErrorName(e_));                           \
        std::exit(2);                                                              \
    }

// Everything that one tile in flight needs.
template <int Bins>
class Lane {
public:
    static constexpr size_t kBytes = Bins * sizeof(unsigned);

    Lane()
    {
        REQUIRE(cudaStreamCreate(&stream_));
        REQUIRE(cudaMalloc(&pixels_, plate::kPixels * sizeof(unsigned)));
        REQUIRE(cudaMalloc(&hist_, kBytes));
    }
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;
    ~Lane()
    {
        cudaFree(hist_);
        cudaFree(pixels_);
        cudaStreamDestroy(stream_);
    }

    void process(int tile, unsigned* out)
    {
        REQUIRE(cudaMemsetAsync(hist_, 0, kBytes));
        plate::digitise<<<8, 256, 0, stream_>>>(pixels_, tile);
        plate::binTile<Bins><<<8, 256, 0, stream_>>>(pixels_, hist_);
        REQUIRE(cudaGetLastError());
        REQUIRE(cudaMemcpyAsync(out, hist_, kBytes, cudaMemcpyDeviceToHost, stream_));
    }

    void finish() { REQUIRE(cudaStreamSynchronize(stream_)); }

private:
    cudaStream_t stream_ = nullptr;
    unsigned* pixels_ = nullptr;
    unsigned* hist_ = nullptr;
};
