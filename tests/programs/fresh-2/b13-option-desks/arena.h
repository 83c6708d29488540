#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace desk {

struct GpuError : std::runtime_error {
    explicit GpuError(cudaError_t rc) : std::runtime_error(cudaGetErrorName(rc)) {}
};

inline void expect(cudaError_t rc) {
    if (rc != cudaSuccess) throw GpuError(rc);
}

class Stream {
public:
    Stream() { expect(cudaStreamCreate(&s_)); }
    ~Stream() { cudaStreamDestroy(s_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return s_; }
    void wait() const { expect(cudaStreamSynchronize(s_)); }

private:
    cudaStream_t s_{};
};

// Stream-ordered device memory of one desk.
class Arena {
public:
    explicit Arena(int device) {
        cudaMemPoolProps props{};
        props.allocType = cudaMemAllocationTypePinned;
        props.handleTypes = cudaMemHandleTypeNone;
        props.location.type = cudaMemLocationTypeDevice;
        props.location.id = device;
        expect(cudaMemPoolCreate(&pool_, &props));
        std::uint64_t keep = UINT64_MAX;
        expect(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
    }
    ~Arena() { cudaMemPoolDestroy(pool_); }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    template <class T>
    class Block {
    public:
        Block(const Arena& a, std::size_t n, cudaStream_t s) : stream_(s) {
            expect(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&p_), n * sizeof(T), a.pool_, s));
        }
        ~Block() { cudaFreeAsync(p_, stream_); }
        Block(const Block&) = delete;
        Block& operator=(const Block&) = delete;
        T* get() const { return p_; }

    private:
        T* p_ = nullptr;
        cudaStream_t stream_;
    };

private:
    cudaMemPool_t pool_{};
};

}  // namespace desk
