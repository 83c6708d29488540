#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

namespace codec {

constexpr int kBlock = 1 << 20;

inline void enforce(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

struct Encoded {
    uint32_t id = 0;
    uint32_t nonzero = 0;
    const uint8_t* bytes = nullptr;
};

// Compresses one block at a time; several lanes make a pipeline.
class Lane {
public:
    Lane();
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    bool pending() const { return pending_; }
    void submit(uint32_t id, const uint8_t* block);
    // The block that was submitted last; valid until the next one is.
    Encoded take();

private:
    template <class T>
    T* scratch(std::size_t n);

    cudaStream_t stream_ = nullptr;
    cudaEvent_t finished_ = nullptr;
    cudaMemPool_t pool_ = nullptr;
    uint8_t *host_in_ = nullptr, *host_out_ = nullptr;
    uint32_t* host_nonzero_ = nullptr;
    uint32_t id_ = 0;
    bool pending_ = false;
};

}  // namespace codec
