// Low-latency dot-product service: one resident block answers requests that the
// host posts into a mapped mailbox.  Order of calls:
//   start() { submit()... fetch()... } stop()
// fetch() returns results in submission order.  Externally synchronised.
// Between start() and stop() the application must not wait for the whole device
// (cudaDeviceSynchronize, cudaFree): the service ends only when it is stopped.
// For the same reason one service at a time may be running in a process.
#include <cuda_runtime.h>
#include <cuda/atomic>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>

namespace resident {

constexpr unsigned kSlots = 32;
constexpr int kWidth = 256;

struct Slot {
    float a[kWidth];
    float b[kWidth];
    float dot;
};

struct Mailbox {
    alignas(128) unsigned posted;   // written by the host
    alignas(128) unsigned done;     // written by the device
    alignas(128) unsigned stop;     // written by the host
    alignas(128) Slot slots[kSlots];
};

using SysRef = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;

__global__ void __launch_bounds__(kWidth) service_kernel(Mailbox *box)
{
    __shared__ unsigned s_posted;
    __shared__ float s_part[kWidth / 32];
    unsigned seen = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            unsigned posted;
            for (;;) {
                // `stop` is read first: once it is up no later post can appear.
                const unsigned stop = SysRef(box->stop).load(cuda::memory_order_acquire);
                posted = SysRef(box->posted).load(cuda::memory_order_acquire);
                if (posted != seen || stop) break;
                __nanosleep(200);
            }
            s_posted = posted;
        }
        __syncthreads();
        const unsigned limit = s_posted;
        if (limit == seen) return;   // stopped and drained: the same answer in every thread
        for (; seen != limit; ++seen) {
            const volatile Slot &in = box->slots[seen % kSlots];
            float v = in.a[threadIdx.x] * in.b[threadIdx.x];
            for (int d = 16; d; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
            if ((threadIdx.x & 31) == 0) s_part[threadIdx.x >> 5] = v;
            __syncthreads();
            if (threadIdx.x == 0) {
                float sum = 0.0f;
                for (int w = 0; w < kWidth / 32; ++w) sum += s_part[w];
                box->slots[seen % kSlots].dot = sum;
                SysRef(box->done).store(seen + 1, cuda::memory_order_release);
            }
            __syncthreads();   // s_part and s_posted may be reused from here
        }
    }
}

class DotService {
public:
    DotService() = default;
    DotService(const DotService &) = delete;
    DotService &operator=(const DotService &) = delete;
    ~DotService() { (void)stop(); }

    cudaError_t start()
    {
        if (running_ || busy_.exchange(true)) return cudaErrorNotPermitted;
        void *host = nullptr;
        cudaError_t e = cudaHostAlloc(&host, sizeof(Mailbox), cudaHostAllocMapped);
        if (e != cudaSuccess) {
            busy_.store(false);
            return e;
        }
        box_ = new (host) Mailbox();   // value-initialised: every counter is zero
        Mailbox *dev = nullptr;
        e = cudaHostGetDevicePointer(reinterpret_cast<void **>(&dev), box_, 0);
        // Non-blocking: legacy default-stream work must not queue up behind the service.
        if (e == cudaSuccess) e = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
        if (e == cudaSuccess) {
            service_kernel<<<1, kWidth, 0, stream_>>>(dev);
            e = cudaGetLastError();
        }
        if (e != cudaSuccess) {
            release();
            return e;
        }
        posted_ = fetched_ = 0;
        running_ = true;
        return cudaSuccess;
    }

    // cudaErrorNotReady: the ring is full, fetch something first.
    cudaError_t submit(const float *a, const float *b)
    {
        if (!running_) return cudaErrorNotPermitted;
        if (posted_ - fetched_ == kSlots) return cudaErrorNotReady;
        Slot &s = box_->slots[posted_ % kSlots];
        std::memcpy(s.a, a, sizeof s.a);
        std::memcpy(s.b, b, sizeof s.b);
        SysRef(box_->posted).store(++posted_, cuda::memory_order_release);
        return cudaSuccess;
    }

    // Waits for the oldest outstanding request.
    cudaError_t fetch(float *dot)
    {
        if (!running_ || fetched_ == posted_) return cudaErrorNotPermitted;
        unsigned spins = 0;
        while (SysRef(box_->done).load(cuda::memory_order_acquire) == fetched_) {
            // The kernel must still be running; anything else means that it died.
            if ((++spins & 0xfffu) == 0) {
                const cudaError_t q = cudaStreamQuery(stream_);
                if (q != cudaErrorNotReady) return q == cudaSuccess ? cudaErrorUnknown : q;
            }
        }
        *dot = box_->slots[fetched_ % kSlots].dot;
        ++fetched_;
        return cudaSuccess;
    }

    unsigned outstanding() const { return posted_ - fetched_; }

    // Outstanding requests are computed but their results are dropped.
    cudaError_t stop()
    {
        if (!running_) return cudaSuccess;
        SysRef(box_->stop).store(1u, cuda::memory_order_release);
        const cudaError_t e = cudaStreamSynchronize(stream_);
        running_ = false;
        release();
        return e;
    }

private:
    void release()   // only ever called when no kernel is running
    {
        if (stream_) (void)cudaStreamDestroy(stream_);
        if (box_) (void)cudaFreeHost(box_);
        stream_ = nullptr;
        box_ = nullptr;
        busy_.store(false);
    }

    static inline std::atomic<bool> busy_{false};
    Mailbox *box_ = nullptr;
    cudaStream_t stream_ = nullptr;
    unsigned posted_ = 0;
    unsigned fetched_ = 0;
    bool running_ = false;
};

}  // namespace resident

extern "C" void *dot_service_open()
{
    auto *s = new (std::nothrow) resident::DotService;
    if (s && s->start() != cudaSuccess) {
        delete s;
        s = nullptr;
    }
    return s;
}
extern "C" int dot_service_submit(void *s, const float *a, const float *b)
{
    return static_cast<int>(static_cast<resident::DotService *>(s)->submit(a, b));
}
extern "C" int dot_service_fetch(void *s, float *dot)
{
    return static_cast<int>(static_cast<resident::DotService *>(s)->fetch(dot));
}
extern "C" void dot_service_close(void *s) { delete static_cast<resident::DotService *>(s); }
