#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define TF_CALL(x)                                              \
    do {                                                        \
        cudaError_t tf_e = (x);                                 \
        if (tf_e != cudaSuccess) {                              \
            std::printf("ERROR %s\n", cudaGetErrorName(tf_e));  \
            std::fflush(stdout);                                \
            std::_Exit(1);                                      \
        }                                                       \
    } while (0)

namespace farm {

// A transcode lane: its own stream and its own stream ordered memory pool.
class Lane {
public:
    explicit Lane(int device)
    {
        cudaMemPoolProps props = {};
        props.allocType = cudaMemAllocationTypePinned;
        props.location.type = cudaMemLocationTypeDevice;
        props.location.id = device;
        TF_CALL(cudaMemPoolCreate(&pool_, &props));
        std::uint64_t keep = UINT64_MAX;
        TF_CALL(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
        TF_CALL(cudaStreamCreate(&stream_));
    }
    ~Lane()
    {
        cudaStreamSynchronize(stream_);
        cudaStreamDestroy(stream_);
        cudaMemPoolDestroy(pool_);
    }
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    cudaStream_t stream() const { return stream_; }

    // Temporary of one job, released in stream order.
    template <class T>
    class Scratch {
    public:
        Scratch(const Lane& lane, std::size_t count) : stream_(lane.stream_)
        {
            TF_CALL(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&data_), count * sizeof(T),
                                            lane.pool_, stream_));
        }
        ~Scratch() { cudaFreeAsync(data_, stream_); }
        Scratch(const Scratch&) = delete;
        Scratch& operator=(const Scratch&) = delete;
        operator T*() const { return data_; }

    private:
        cudaStream_t stream_;
        T* data_ = nullptr;
    };

private:
    cudaMemPool_t pool_ = nullptr;
    cudaStream_t stream_ = nullptr;
};

}  // namespace farm
