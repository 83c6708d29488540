// Asynchronous statistics with move-only futures.
//   Future<Moments> f = engine.moments(x, n, stream);   // returns at once
//   ... f.get() waits and yields the value once.
// The engine must outlive its futures.  It may be used from several threads.
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace future {

inline void must(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

// A pinned landing place of 64 bytes with its event.
class Landing {
public:
    static constexpr std::size_t kBytes = 64;
    Landing()
    {
        must(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming | cudaEventBlockingSync));
        const cudaError_t e = cudaMallocHost(&mem_, kBytes);
        if (e != cudaSuccess) {
            (void)cudaEventDestroy(event_);
            must(e);
        }
    }
    ~Landing()
    {
        (void)cudaEventSynchronize(event_);
        (void)cudaFreeHost(mem_);
        (void)cudaEventDestroy(event_);
    }
    Landing(const Landing &) = delete;
    Landing &operator=(const Landing &) = delete;

    void *mem() const { return mem_; }
    void mark(cudaStream_t s)
    {
        const cudaError_t e = cudaEventRecord(event_, s);
        if (e != cudaSuccess) (void)cudaStreamSynchronize(s);   // no event: wait here instead
        must(e);
    }
    cudaError_t wait() const { return cudaEventSynchronize(event_); }
    cudaError_t query() const { return cudaEventQuery(event_); }

private:
    cudaEvent_t event_ = nullptr;
    void *mem_ = nullptr;
};

class LandingPool {
public:
    std::unique_ptr<Landing> take()
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            if (!idle_.empty()) {
                auto l = std::move(idle_.back());
                idle_.pop_back();
                return l;
            }
        }
        return std::make_unique<Landing>();
    }
    // Only landings without a pending copy come back.
    void put(std::unique_ptr<Landing> l)
    {
        std::lock_guard<std::mutex> lock(mutex_);
        idle_.push_back(std::move(l));
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Landing>> idle_;
};

template <class Raw, class Value>
class Future {
    static_assert(sizeof(Raw) <= Landing::kBytes, "result too large");

public:
    using Finish = Value (*)(const Raw &, std::size_t n);

    Future(LandingPool &pool, std::unique_ptr<Landing> l, std::size_t n, Finish f)
        : pool_(&pool), landing_(std::move(l)), n_(n), finish_(f) {}
    Future(Future &&) = default;
    Future &operator=(Future &&) = delete;
    ~Future()
    {
        if (!landing_) return;
        // Dropped without get(): the copy may still be on its way.
        if (landing_->wait() == cudaSuccess) {
            try { pool_->put(std::move(landing_)); } catch (...) {}
        }
    }

    bool valid() const { return bool(landing_); }
    bool ready() const
    {
        if (!landing_) return false;
        const cudaError_t q = landing_->query();
        if (q == cudaErrorNotReady) return false;
        must(q);
        return true;
    }
    Value get()
    {
        if (!landing_) throw std::logic_error("no value");
        must(landing_->wait());
        const Raw raw = *static_cast<const Raw *>(landing_->mem());
        pool_->put(std::move(landing_));
        return finish_(raw, n_);
    }

private:
    LandingPool *pool_;
    std::unique_ptr<Landing> landing_;
    std::size_t n_;
    Finish finish_;
};

struct RawMoments {
    double sum, sumsq;
};
struct Moments {
    double mean, stddev;
};

__global__ void moments_kernel(const float *x, std::size_t n, RawMoments *out)
{
    double a = 0.0, b = 0.0;
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        const double v = x[i];
        a += v;
        b += v * v;
    }
    for (int d = 16; d; d >>= 1) {
        a += __shfl_down_sync(0xffffffffu, a, d);
        b += __shfl_down_sync(0xffffffffu, b, d);
    }
    if ((threadIdx.x & 31) == 0) {
        atomicAdd(&out->sum, a);
        atomicAdd(&out->sumsq, b);
    }
}

class Engine {
public:
    Future<RawMoments, Moments> moments(const float *x, std::size_t n, cudaStream_t stream)
    {
        if (n == 0) throw std::invalid_argument("moments of nothing");
        auto landing = pool_.take();
        RawMoments *dev = nullptr;
        must(cudaMallocAsync(reinterpret_cast<void **>(&dev), sizeof(RawMoments), stream));
        cudaError_t e = cudaMemsetAsync(dev, 0, sizeof(RawMoments), stream);
        if (e == cudaSuccess) {
            const int blocks = static_cast<int>(std::min<std::size_t>((n + 1023) / 1024, 256));
            moments_kernel<<<blocks, 256, 0, stream>>>(x, n, dev);
            e = cudaGetLastError();
        }
        if (e == cudaSuccess)
            e = cudaMemcpyAsync(landing->mem(), dev, sizeof(RawMoments), cudaMemcpyDeviceToHost, stream);
        const cudaError_t f = cudaFreeAsync(dev, stream);   // behind the copy
        landing->mark(stream);   // even after an error: ~Landing relies on it
        must(e);
        must(f);
        return {pool_, std::move(landing), n, &Engine::finish};
    }

private:
    static Moments finish(const RawMoments &r, std::size_t n)
    {
        const double m = r.sum / static_cast<double>(n);
        const double var = r.sumsq / static_cast<double>(n) - m * m;
        return {m, std::sqrt(var > 0.0 ? var : 0.0)};
    }
    LandingPool pool_;
};

// Both reductions are in flight before either is waited for.
std::pair<Moments, Moments> compare(Engine &e, const float *a, const float *b, std::size_t n, cudaStream_t sa,
                                    cudaStream_t sb)
{
    auto fa = e.moments(a, n, sa);
    auto fb = e.moments(b, n, sb);
    return {fa.get(), fb.get()};
}

}  // namespace future
