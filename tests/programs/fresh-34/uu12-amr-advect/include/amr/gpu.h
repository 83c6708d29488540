#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define AMR_SAFE(call)                                                 \
    do {                                                               \
        cudaError_t amr_err = (call);                                  \
        if (amr_err != cudaSuccess) {                                  \
            std::printf("ERROR %s\n", cudaGetErrorName(amr_err));      \
            std::fflush(stdout);                                       \
            std::_Exit(1);                                             \
        }                                                              \
    } while (0)

namespace amr {

// The streams over which iterators deal their boxes.
class Gpu {
public:
    static Gpu& get() {
        static Gpu* g = new Gpu;
        return *g;
    }
    static constexpr int kStreams = 4;
    cudaStream_t stream(int i) const { return streams_[i % kStreams]; }
    void sync_streams() const {
        for (cudaStream_t s : streams_) AMR_SAFE(cudaStreamSynchronize(s));
    }

private:
    Gpu() {
        for (cudaStream_t& s : streams_) AMR_SAFE(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    }
    cudaStream_t streams_[kStreams];
};

// Bump allocator over one slab; everything is given back together.
class Arena {
public:
    explicit Arena(std::size_t bytes) : size_(bytes) { AMR_SAFE(cudaMalloc(reinterpret_cast<void**>(&base_), bytes)); }
    ~Arena() { cudaFree(base_); }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    void* take(std::size_t bytes) {
        const std::size_t at = (used_ + 255) / 256 * 256;
        if (at + bytes > size_) {
            std::printf("ERROR arena\n");
            std::fflush(stdout);
            std::_Exit(1);
        }
        used_ = at + bytes;
        return base_ + at;
    }

    class Mark {
    public:
        explicit Mark(Arena& a) : arena_(a), at_(a.used_) {}
        ~Mark() { arena_.used_ = at_; }
        Mark(const Mark&) = delete;
        Mark& operator=(const Mark&) = delete;

    private:
        Arena& arena_;
        std::size_t at_;
    };

private:
    char* base_ = nullptr;
    std::size_t size_;
    std::size_t used_ = 0;
};

}  // namespace amr
