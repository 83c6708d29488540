// Kernel-side counters with periodic asynchronous snapshots.
//   Telemetry::handle()   what kernels get
//   snapshot(stream)      enqueue a copy of the counters, never blocks
//   latest()              newest snapshot that has arrived, never blocks
// One stream per object: the kernels that get the handle and the snapshots must all
// be issued to the same stream, so that a snapshot never meets a running kernel.
// The methods themselves may be called from several threads.
#include <cuda_runtime.h>
#include <array>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <stdexcept>

namespace telemetry {

enum Counter { kProcessed, kClipped, kInvalid, kCounters };

using Values = std::array<unsigned long long, kCounters>;

struct Handle {
    unsigned long long *counters;
    __device__ void add(Counter c, unsigned long long v) const { atomicAdd(&counters[c], v); }
};

static void req(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

class Telemetry {
public:
    Telemetry();
    ~Telemetry();
    Telemetry(const Telemetry &) = delete;
    Telemetry &operator=(const Telemetry &) = delete;

    Handle handle() const { return {counters_}; }
    bool snapshot(cudaStream_t stream);
    std::optional<Values> latest();

private:
    static constexpr int kSlots = 4;
    enum class Phase { Free, InFlight, Landed };
    struct Slot {
        Phase phase = Phase::Free;
        cudaEvent_t arrived = nullptr;
        unsigned long long *host = nullptr;
        std::uint64_t seq = 0;
    };
    void harvest();
    void destroy() noexcept;

    std::mutex mutex_;
    std::array<Slot, kSlots> slots_;
    unsigned long long *counters_ = nullptr;
    std::uint64_t seq_ = 0;
};

Telemetry::Telemetry()
{
    try {
        req(cudaMalloc(reinterpret_cast<void **>(&counters_), sizeof(Values)));
        for (auto &s : slots_) {
            req(cudaMallocHost(reinterpret_cast<void **>(&s.host), sizeof(Values)));
            req(cudaEventCreateWithFlags(&s.arrived, cudaEventDisableTiming));
        }
        // cudaMemset returns early and non-blocking streams do not wait for it.
        req(cudaMemset(counters_, 0, sizeof(Values)));
        req(cudaDeviceSynchronize());
    } catch (...) {
        destroy();
        throw;
    }
}

// Kernels that hold a handle must have been enqueued already; they are waited for.
Telemetry::~Telemetry()
{
    (void)cudaDeviceSynchronize();
    destroy();
}

void Telemetry::destroy() noexcept
{
    for (auto &s : slots_) {
        if (s.arrived) (void)cudaEventDestroy(s.arrived);
        if (s.host) (void)cudaFreeHost(s.host);
    }
    if (counters_) (void)cudaFree(counters_);
}

// With the lock held: notes arrivals and keeps only the newest of the landed slots.
void Telemetry::harvest()
{
    Slot *best = nullptr;
    for (auto &s : slots_) {
        if (s.phase == Phase::InFlight) {
            const cudaError_t q = cudaEventQuery(s.arrived);
            if (q == cudaErrorNotReady) continue;
            req(q);
            s.phase = Phase::Landed;
        }
        if (s.phase != Phase::Landed) continue;
        if (best && best->seq > s.seq) {
            s.phase = Phase::Free;
        } else {
            if (best) best->phase = Phase::Free;
            best = &s;
        }
    }
}

// False: every slot is busy and the snapshot has been skipped.
bool Telemetry::snapshot(cudaStream_t stream)
{
    std::lock_guard<std::mutex> lock(mutex_);
    harvest();
    for (auto &s : slots_) {
        if (s.phase != Phase::Free) continue;
        req(cudaMemcpyAsync(s.host, counters_, sizeof(Values), cudaMemcpyDeviceToHost, stream));
        const cudaError_t e = cudaEventRecord(s.arrived, stream);
        if (e != cudaSuccess) {
            (void)cudaStreamSynchronize(stream);   // the slot stays free, so nothing may write to it
            req(e);
        }
        s.phase = Phase::InFlight;
        s.seq = ++seq_;
        return true;
    }
    return false;
}

std::optional<Values> Telemetry::latest()
{
    std::lock_guard<std::mutex> lock(mutex_);
    harvest();
    for (const auto &s : slots_) {
        if (s.phase != Phase::Landed) continue;   // harvest() leaves one at most
        Values v;
        std::memcpy(v.data(), s.host, sizeof v);
        return v;
    }
    return std::nullopt;
}

__global__ void clip_kernel(float *x, int n, float limit, Handle log)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool clipped = false, invalid = false;
    if (i < n) {
        const float v = x[i];
        invalid = isnan(v);
        clipped = !invalid && fabsf(v) > limit;
        if (invalid) x[i] = 0.0f;
        if (clipped) x[i] = copysignf(limit, v);
    }
    // Barriers that also count: reached by every thread of the block.
    const int done = __syncthreads_count(i < n);
    const int c = __syncthreads_count(clipped);
    const int b = __syncthreads_count(invalid);
    if (threadIdx.x == 0) {
        log.add(kProcessed, done);
        if (c) log.add(kClipped, c);
        if (b) log.add(kInvalid, b);
    }
}

void clip(float *x, int n, float limit, Telemetry &t, cudaStream_t stream)
{
    if (n <= 0) return;
    clip_kernel<<<(n + 255) / 256, 256, 0, stream>>>(x, n, limit, t.handle());
    req(cudaGetLastError());
    (void)t.snapshot(stream);
}

}  // namespace telemetry
