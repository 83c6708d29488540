// Stream-ordered caching pool.  deallocate() does not wait: the block becomes
// available at once to the stream that freed it and to every other stream when
// the event recorded at the free has completed.
//
// A stream must be announced with retire_stream() before it is destroyed, since
// the runtime may give its handle to a new stream.  Not for use in captures.
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace streampool {

#define SP_CHECK(expr)                                                                        \
    do {                                                                                      \
        const cudaError_t sp_e = (expr);                                                      \
        if (sp_e != cudaSuccess)                                                              \
            throw std::runtime_error(std::string(#expr " failed: ") + cudaGetErrorString(sp_e)); \
    } while (0)

class Pool {
public:
    explicit Pool(int device) : device_(device) {}
    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;
    ~Pool();

    void *allocate(std::size_t bytes, cudaStream_t stream);
    void deallocate(void *p, cudaStream_t stream);
    void retire_stream(cudaStream_t stream);
    void trim();

private:
    struct Block {
        void *ptr = nullptr;
        std::size_t bytes = 0;
        cudaEvent_t freed = nullptr;
    };
    using Bucket = std::multimap<std::size_t, Block>;

    static std::size_t round_up(std::size_t b)
    {
        std::size_t r = 512;
        while (r < b) r <<= 1;
        return r;
    }
    // These handles name a different stream in every thread (or may, depending on
    // how the caller was compiled), so "same handle" does not mean "same stream".
    static bool ambiguous(cudaStream_t s) { return s == nullptr || s == cudaStreamPerThread; }

    bool take_own(std::size_t size, cudaStream_t stream, Block &out);
    bool take_finished(std::size_t size, Bucket &bucket, Block &out);

    const int device_;
    std::mutex mutex_;
    std::unordered_map<cudaStream_t, Bucket> own_;   // freed on exactly this stream
    Bucket shared_;                                  // usable only when the event is done
    std::unordered_map<void *, Block> live_;
};

bool Pool::take_own(std::size_t size, cudaStream_t stream, Block &out)
{
    if (ambiguous(stream)) return false;
    const auto it = own_.find(stream);
    if (it == own_.end()) return false;
    const auto hit = it->second.find(size);
    if (hit == it->second.end()) return false;
    out = hit->second;   // stream order replaces the wait
    it->second.erase(hit);
    return true;
}

bool Pool::take_finished(std::size_t size, Bucket &bucket, Block &out)
{
    const auto range = bucket.equal_range(size);
    for (auto it = range.first; it != range.second; ++it) {
        const cudaError_t q = cudaEventQuery(it->second.freed);
        if (q == cudaErrorNotReady) continue;
        SP_CHECK(q);
        out = it->second;
        bucket.erase(it);
        return true;
    }
    return false;
}

void *Pool::allocate(std::size_t bytes, cudaStream_t stream)
{
    if (bytes == 0) return nullptr;
    const std::size_t size = round_up(bytes);
    std::lock_guard<std::mutex> lock(mutex_);
    Block b;
    bool found = take_own(size, stream, b) || take_finished(size, shared_, b);
    for (auto it = own_.begin(); !found && it != own_.end(); ++it)
        found = take_finished(size, it->second, b);
    if (!found) {
        b.bytes = size;
        int previous = 0;
        SP_CHECK(cudaGetDevice(&previous));
        SP_CHECK(cudaSetDevice(device_));
        cudaError_t e = cudaEventCreateWithFlags(&b.freed, cudaEventDisableTiming);
        if (e == cudaSuccess) e = cudaMalloc(&b.ptr, size);
        (void)cudaSetDevice(previous);
        if (e != cudaSuccess) {
            (void)cudaGetLastError();
            if (b.freed) (void)cudaEventDestroy(b.freed);
            throw std::bad_alloc();
        }
    }
    live_.emplace(b.ptr, b);
    return b.ptr;
}

// `stream` must be the stream of the last use (or one that already waits for it).
void Pool::deallocate(void *p, cudaStream_t stream)
{
    if (!p) return;
    std::lock_guard<std::mutex> lock(mutex_);
    const auto it = live_.find(p);
    if (it == live_.end()) throw std::invalid_argument("not from this pool");
    const Block b = it->second;
    SP_CHECK(cudaEventRecord(b.freed, stream));
    live_.erase(it);
    (ambiguous(stream) ? shared_ : own_[stream]).emplace(b.bytes, b);
}

void Pool::retire_stream(cudaStream_t stream)
{
    std::lock_guard<std::mutex> lock(mutex_);
    const auto it = own_.find(stream);
    if (it == own_.end()) return;
    shared_.insert(it->second.begin(), it->second.end());
    own_.erase(it);
}

void Pool::trim()
{
    std::lock_guard<std::mutex> lock(mutex_);
    const auto drop = [](Bucket &bucket) {
        for (auto &kv : bucket) {
            (void)cudaEventSynchronize(kv.second.freed);
            (void)cudaEventDestroy(kv.second.freed);
            (void)cudaFree(kv.second.ptr);
        }
        bucket.clear();
    };
    for (auto &kv : own_) drop(kv.second);
    drop(shared_);
}

Pool::~Pool() { trim(); }

template <class T>
class PoolArray {   // scoped array whose storage goes back in stream order
public:
    PoolArray(Pool &pool, std::size_t n, cudaStream_t stream)
        : pool_(&pool), stream_(stream), ptr_(static_cast<T *>(pool.allocate(n * sizeof(T), stream))) {}
    PoolArray(PoolArray &&o) noexcept : pool_(o.pool_), stream_(o.stream_), ptr_(std::exchange(o.ptr_, nullptr)) {}
    PoolArray &operator=(PoolArray &&) = delete;
    ~PoolArray()
    {
        try { pool_->deallocate(ptr_, stream_); } catch (...) {}
    }
    T *data() const { return ptr_; }

private:
    Pool *pool_;
    cudaStream_t stream_;
    T *ptr_;
};

__global__ void diff_kernel(const float *x, float *d, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) d[i] = i ? x[i] - x[i - 1] : 0.0f;
}

void second_difference(Pool &pool, const float *x, float *out, int n, cudaStream_t stream)
{
    if (n <= 0) return;
    PoolArray<float> first(pool, static_cast<std::size_t>(n), stream);
    const int blocks = (n + 255) / 256;
    diff_kernel<<<blocks, 256, 0, stream>>>(x, first.data(), n);
    SP_CHECK(cudaGetLastError());
    diff_kernel<<<blocks, 256, 0, stream>>>(first.data(), out, n);
    SP_CHECK(cudaGetLastError());
}

}  // namespace streampool
