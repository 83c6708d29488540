#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <stdexcept>

namespace aligner {

struct GpuException : std::runtime_error {
    explicit GpuException(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

#define ALN_TRY(call)                                              \
    do {                                                           \
        const cudaError_t aln_rc = (call);                         \
        if (aln_rc != cudaSuccess) throw aligner::GpuException(aln_rc); \
    } while (0)

// Links two streams through a throw-away event.
inline void chain(cudaStream_t from, cudaStream_t to) {
    cudaEvent_t mark = nullptr;
    ALN_TRY(cudaEventCreateWithFlags(&mark, cudaEventDisableTiming));
    const cudaError_t recorded = cudaEventRecord(mark, from);
    const cudaError_t waited = cudaStreamWaitEvent(to, mark, 0);
    cudaEventDestroy(mark);
    ALN_TRY(recorded);
    ALN_TRY(waited);
}

// Pool memory which belongs to one stream and may be lent to others.
template <class T>
class StreamBlock {
public:
    StreamBlock(std::size_t n, cudaStream_t owner) : owner_(owner), n_(n) {
        ALN_TRY(cudaMallocAsync(reinterpret_cast<void**>(&p_), n * sizeof(T), owner_));
    }
    ~StreamBlock() { cudaFreeAsync(p_, owner_); }
    StreamBlock(const StreamBlock&) = delete;
    StreamBlock& operator=(const StreamBlock&) = delete;

    // Access to the block for work on another stream.
    class Visit {
    public:
        Visit(StreamBlock& block, cudaStream_t guest) : block_(block), guest_(guest) { chain(block_.owner_, guest_); }
        ~Visit() noexcept(false) { chain(guest_, block_.owner_); }
        Visit(const Visit&) = delete;
        Visit& operator=(const Visit&) = delete;
        T* data() const { return block_.p_; }
    private:
        StreamBlock& block_;
        cudaStream_t guest_;
    };

    Visit visit(cudaStream_t guest) { return Visit(*this, guest); }
    T* data() const { return p_; }
    std::size_t size() const { return n_; }
    std::size_t bytes() const { return n_ * sizeof(T); }

private:
    cudaStream_t owner_;
    T* p_ = nullptr;
    std::size_t n_;
};

}  // namespace aligner
