// Reference-counted device buffers that may be used by any number of streams.
//
//   Buffer b = Buffer::make(bytes, s);      contents ordered on s
//   { Use u(b, t); kernel<<<.., t>>>(u.as<float>()); }   use on another stream
//
// Dropping the last reference never blocks: the memory is released once all
// recorded uses have completed.  Buffers may be shared between threads.
#include <cuda_runtime.h>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace refbuffer {

inline void ensure(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

// Stream on which memory is given back.  One per process and device, made on
// first use and kept for good, so that static buffers can be destroyed any time.
cudaStream_t reaper_stream(int device)
{
    static std::mutex mutex;
    static auto *streams = new std::vector<cudaStream_t>;
    std::lock_guard<std::mutex> lock(mutex);
    if (streams->size() <= std::size_t(device)) streams->resize(std::size_t(device) + 1, nullptr);
    cudaStream_t &s = (*streams)[std::size_t(device)];
    if (!s) ensure(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    return s;
}

class Block {
public:
    Block(std::size_t bytes, cudaStream_t stream) : bytes_(bytes)
    {
        int device = 0;
        ensure(cudaGetDevice(&device));
        reaper_ = reaper_stream(device);
        ensure(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
        cudaError_t e = cudaMallocAsync(&ptr_, bytes_, stream);
        if (e == cudaSuccess) {
            e = cudaEventRecord(ready_, stream);
            if (e != cudaSuccess) (void)cudaFreeAsync(ptr_, stream);
        }
        if (e != cudaSuccess) {
            (void)cudaEventDestroy(ready_);
            ensure(e);
        }
    }
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;
    ~Block()
    {
        // No other thread can be here: this is the last reference.
        (void)cudaStreamWaitEvent(reaper_, ready_, 0);
        for (cudaEvent_t ev : uses_) (void)cudaStreamWaitEvent(reaper_, ev, 0);
        (void)cudaFreeAsync(ptr_, reaper_);
        for (cudaEvent_t ev : uses_) (void)cudaEventDestroy(ev);   // legal with waits pending
        (void)cudaEventDestroy(ready_);
    }

    void *ptr() const { return ptr_; }
    std::size_t bytes() const { return bytes_; }
    void wait_ready(cudaStream_t stream) { ensure(cudaStreamWaitEvent(stream, ready_, 0)); }

    // An event of its own for each use: the same stream handle may stand for
    // different streams in different threads, so handles are not compared.
    void note_use(cudaStream_t stream)
    {
        cudaEvent_t ev = nullptr;
        ensure(cudaEventCreateWithFlags(&ev, cudaEventDisableTiming));
        const cudaError_t e = cudaEventRecord(ev, stream);
        if (e != cudaSuccess) {
            (void)cudaEventDestroy(ev);
            ensure(e);
        }
        std::lock_guard<std::mutex> lock(mutex_);
        std::size_t kept = 0;
        for (cudaEvent_t old : uses_) {
            if (cudaEventQuery(old) == cudaSuccess)
                (void)cudaEventDestroy(old);
            else
                uses_[kept++] = old;
        }
        uses_.resize(kept);
        uses_.push_back(ev);
    }

private:
    void *ptr_ = nullptr;
    const std::size_t bytes_;
    cudaStream_t reaper_ = nullptr;
    cudaEvent_t ready_ = nullptr;   // recorded behind the allocation
    std::mutex mutex_;
    std::vector<cudaEvent_t> uses_;
};

class Buffer {
public:
    Buffer() = default;
    static Buffer make(std::size_t bytes, cudaStream_t stream)
    {
        Buffer b;
        b.block_ = std::make_shared<Block>(bytes, stream);
        return b;
    }
    explicit operator bool() const { return bool(block_); }
    std::size_t bytes() const { return block_ ? block_->bytes() : 0; }

private:
    friend class Use;
    std::shared_ptr<Block> block_;
};

// Scope of one use: memory is valid on the stream from here, and the use is
// recorded at the end of the scope, behind all that was launched in it.
// Ordering between a writer and its readers remains the business of the callers.
class Use {
public:
    Use(const Buffer &b, cudaStream_t stream) : block_(b.block_), stream_(stream)
    {
        if (!block_) throw std::invalid_argument("empty buffer");
        block_->wait_ready(stream_);
    }
    Use(const Use &) = delete;
    Use &operator=(const Use &) = delete;
    ~Use()
    {
        try {
            block_->note_use(stream_);
        } catch (...) {
            (void)cudaStreamSynchronize(stream_);   // no event: wait here instead
        }
    }
    template <class T>
    T *as() const { return static_cast<T *>(block_->ptr()); }

private:
    std::shared_ptr<Block> block_;
    cudaStream_t stream_;
};

__global__ void ramp_kernel(float *x, int n, float step)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = step * i;
}

__global__ void dot_kernel(const float *a, const float *b, int n, float *out)
{
    float v = 0.0f;
    const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
        v += a[i] * b[i];
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, v);
}

// *out (device) += sum of step * i * x[i].  The ramp lives only as long as needed.
void ramp_dot(const float *x, int n, float step, float *out, cudaStream_t stream)
{
    if (n <= 0) return;
    const Buffer ramp = Buffer::make(sizeof(float) * std::size_t(n), stream);
    Use use(ramp, stream);
    ramp_kernel<<<(n + 255) / 256, 256, 0, stream>>>(use.as<float>(), n, step);
    ensure(cudaGetLastError());
    dot_kernel<<<64, 256, 0, stream>>>(x, use.as<float>(), n, out);
    ensure(cudaGetLastError());
}

}  // namespace refbuffer
