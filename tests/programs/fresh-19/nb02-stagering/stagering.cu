// A ring of pinned slots through which arbitrary host data is streamed to the device.
// Thread safe: uploads from several threads are serialised on the host side only;
// the copies themselves run on whichever stream the caller names.
#include <cuda_runtime.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace stagering {

class Error : public std::runtime_error {
public:
    Error(cudaError_t code, const char *what)
        : std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code)), code_(code) {}
    cudaError_t code() const noexcept { return code_; }

private:
    cudaError_t code_;
};

inline void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) throw Error(e, what);
}

class PinnedSlot {
public:
    PinnedSlot() = default;
    explicit PinnedSlot(std::size_t bytes)
    {
        check(cudaHostAlloc(&mem_, bytes, cudaHostAllocWriteCombined), "cudaHostAlloc");
        const cudaError_t e = cudaEventCreateWithFlags(&drained_, cudaEventDisableTiming);
        if (e != cudaSuccess) {
            cudaFreeHost(mem_);
            throw Error(e, "cudaEventCreateWithFlags");
        }
    }
    PinnedSlot(PinnedSlot &&o) noexcept
        : mem_(std::exchange(o.mem_, nullptr)), drained_(std::exchange(o.drained_, nullptr)) {}
    PinnedSlot &operator=(PinnedSlot &&o) noexcept
    {
        std::swap(mem_, o.mem_);
        std::swap(drained_, o.drained_);
        return *this;
    }
    ~PinnedSlot()
    {
        if (drained_) {
            (void)cudaEventSynchronize(drained_);   // a copy may still be reading the slot
            (void)cudaEventDestroy(drained_);
        }
        if (mem_) (void)cudaFreeHost(mem_);
    }

    // An event that was never recorded counts as complete, so the first lap does not wait.
    void *acquire()
    {
        check(cudaEventSynchronize(drained_), "slot wait");
        return mem_;
    }
    void send(void *dst, std::size_t bytes, cudaStream_t stream)
    {
        check(cudaMemcpyAsync(dst, mem_, bytes, cudaMemcpyHostToDevice, stream), "cudaMemcpyAsync");
        const cudaError_t e = cudaEventRecord(drained_, stream);
        if (e != cudaSuccess) (void)cudaStreamSynchronize(stream);   // no event: wait here instead
        check(e, "cudaEventRecord");
    }

private:
    void *mem_ = nullptr;
    cudaEvent_t drained_ = nullptr;
};

template <std::size_t Slots>
class StagingRing {
    static_assert(Slots >= 2, "one slot cannot overlap filling with copying");

public:
    using Producer = std::function<void(void *dst, std::size_t offset, std::size_t bytes)>;

    explicit StagingRing(std::size_t slot_bytes) : slot_bytes_(slot_bytes)
    {
        if (slot_bytes == 0) throw std::invalid_argument("slot_bytes");
        for (auto &s : slots_) s = PinnedSlot(slot_bytes);
    }
    StagingRing(const StagingRing &) = delete;
    StagingRing &operator=(const StagingRing &) = delete;

    // Calls `produce` for consecutive chunks and enqueues the copies on `stream`.
    // On return the producer's own memory is no longer needed.
    void upload(void *dst, std::size_t bytes, const Producer &produce, cudaStream_t stream)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        auto *out = static_cast<char *>(dst);
        for (std::size_t off = 0; off < bytes;) {
            const std::size_t part = std::min(slot_bytes_, bytes - off);
            PinnedSlot &slot = slots_[next_];
            next_ = (next_ + 1) % Slots;
            void *stage = slot.acquire();
            produce(stage, off, part);
            slot.send(out + off, part, stream);
            off += part;
        }
    }

    void upload(void *dst, const void *src, std::size_t bytes, cudaStream_t stream)
    {
        const auto *from = static_cast<const char *>(src);
        upload(dst, bytes,
               [from](void *to, std::size_t off, std::size_t part) { std::memcpy(to, from + off, part); },
               stream);
    }

    std::size_t slot_bytes() const noexcept { return slot_bytes_; }

private:
    std::mutex mutex_;
    std::array<PinnedSlot, Slots> slots_;
    std::size_t next_ = 0;
    const std::size_t slot_bytes_;
};

__global__ void widen_kernel(const unsigned char *in, float *out, std::size_t n, float scale)
{
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) out[i] = scale * in[i];
}

// Uploads 8-bit samples and widens them to float, all on `stream`.
void upload_samples(StagingRing<4> &ring, const unsigned char *host, std::size_t n, unsigned char *d_bytes,
                    float *d_out, cudaStream_t stream)
{
    if (n == 0) return;
    ring.upload(d_bytes, host, n, stream);
    const unsigned blocks = static_cast<unsigned>((n + 255) / 256);
    widen_kernel<<<blocks, 256, 0, stream>>>(d_bytes, d_out, n, 1.0f / 255.0f);
    check(cudaGetLastError(), "widen_kernel");
}

template class StagingRing<4>;

}  // namespace stagering
