// Norm monitor: asynchronous sum of squares with results in a ring of pinned slots.
// submit() never blocks on the device; read() waits for one particular result.
// A ticket expires when kSlots further submissions have been made.  Thread safe.
#include <cuda_runtime.h>
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>

namespace slots {

namespace detail {
inline void throw_on(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

__global__ void sumsq_kernel(const float *x, int n, double *out)
{
    __shared__ double warp_sum[8];
    double v = 0.0;
    const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
        v += double(x[i]) * x[i];
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
    if ((threadIdx.x & 31) == 0) warp_sum[threadIdx.x >> 5] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w) v += warp_sum[w];
        atomicAdd(out, v);
    }
}
}  // namespace detail

struct Ticket {
    std::uint64_t id = 0;
};

class NormMonitor {
public:
    static constexpr std::size_t kSlots = 32;

    NormMonitor();
    ~NormMonitor();
    NormMonitor(const NormMonitor &) = delete;
    NormMonitor &operator=(const NormMonitor &) = delete;

    Ticket submit(const float *x, int n, cudaStream_t stream);
    std::optional<double> read(Ticket t);
    bool ready(Ticket t);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

struct NormMonitor::Impl {
    struct Slot {
        cudaEvent_t landed = nullptr;   // behind the copy of the latest generation
        std::uint64_t id = 0;
    };
    std::mutex mutex;
    std::array<Slot, kSlots> ring;
    double *device = nullptr;   // kSlots accumulators
    double *host = nullptr;     // kSlots pinned results
    std::uint64_t issued = 0;

    ~Impl()
    {
        for (auto &s : ring) {
            if (!s.landed) continue;
            (void)cudaEventSynchronize(s.landed);
            (void)cudaEventDestroy(s.landed);
        }
        if (device) (void)cudaFree(device);
        if (host) (void)cudaFreeHost(host);
    }
};

NormMonitor::NormMonitor() : impl_(std::make_unique<Impl>())
{
    using detail::throw_on;
    throw_on(cudaMalloc(reinterpret_cast<void **>(&impl_->device), kSlots * sizeof(double)));
    throw_on(cudaMallocHost(reinterpret_cast<void **>(&impl_->host), kSlots * sizeof(double)));
    for (auto &s : impl_->ring) throw_on(cudaEventCreateWithFlags(&s.landed, cudaEventDisableTiming));
}

NormMonitor::~NormMonitor() = default;

Ticket NormMonitor::submit(const float *x, int n, cudaStream_t stream)
{
    using detail::throw_on;
    std::lock_guard<std::mutex> lock(impl_->mutex);
    const std::uint64_t id = impl_->issued + 1;
    const std::size_t k = id % kSlots;
    auto &slot = impl_->ring[k];
    // The slot's previous tenant may still be running, possibly on another stream.
    throw_on(cudaStreamWaitEvent(stream, slot.landed, 0));
    slot.id = 0;   // from here on the old result is gone, even if we fail half-way
    impl_->issued = id;
    cudaError_t e = cudaMemsetAsync(impl_->device + k, 0, sizeof(double), stream);
    if (e == cudaSuccess && n > 0) {
        const int blocks = n < 512 * 256 ? (n + 255) / 256 : 512;
        detail::sumsq_kernel<<<blocks, 256, 0, stream>>>(x, n, impl_->device + k);
        e = cudaGetLastError();
    }
    if (e == cudaSuccess)
        e = cudaMemcpyAsync(impl_->host + k, impl_->device + k, sizeof(double), cudaMemcpyDeviceToHost, stream);
    // Recorded even after an error: the next tenant must wait for what was enqueued.
    const cudaError_t rec = cudaEventRecord(slot.landed, stream);
    if (rec != cudaSuccess) (void)cudaStreamSynchronize(stream);
    throw_on(e);
    throw_on(rec);
    slot.id = id;
    return Ticket{id};
}

std::optional<double> NormMonitor::read(Ticket t)
{
    if (t.id == 0) return std::nullopt;
    const std::size_t k = t.id % kSlots;
    // The wait is outside the lock, so that submitters are not held up.  If the slot
    // is recycled meanwhile we may have waited for the wrong generation, but then
    // the test below fails; if it passes the event was recorded once, for us.
    {
        std::lock_guard<std::mutex> lock(impl_->mutex);
        if (impl_->ring[k].id != t.id) return std::nullopt;
    }
    detail::throw_on(cudaEventSynchronize(impl_->ring[k].landed));
    std::lock_guard<std::mutex> lock(impl_->mutex);
    if (impl_->ring[k].id != t.id) return std::nullopt;
    return impl_->host[k];
}

bool NormMonitor::ready(Ticket t)
{
    std::lock_guard<std::mutex> lock(impl_->mutex);
    const auto &slot = impl_->ring[t.id % kSlots];
    if (t.id == 0 || slot.id != t.id) return false;
    const cudaError_t q = cudaEventQuery(slot.landed);
    if (q == cudaErrorNotReady) return false;
    detail::throw_on(q);
    return true;
}

}  // namespace slots
