// Completion notification: min/max of an array delivered to the host through a
// host function that signals a condition variable.
#include <cuda_runtime.h>
#include <cfloat>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace hostcb {

struct Range {
    float lo, hi;
};

static void need(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

__global__ void range_kernel(const float *x, int n, Range *out)
{
    __shared__ float lo[256], hi[256];
    float a = FLT_MAX, b = -FLT_MAX;
    for (int i = threadIdx.x; i < n; i += 256) {
        a = fminf(a, x[i]);
        b = fmaxf(b, x[i]);
    }
    lo[threadIdx.x] = a;
    hi[threadIdx.x] = b;
    __syncthreads();
    for (int d = 128; d; d >>= 1) {
        if (threadIdx.x < d) {
            lo[threadIdx.x] = fminf(lo[threadIdx.x], lo[threadIdx.x + d]);
            hi[threadIdx.x] = fmaxf(hi[threadIdx.x], hi[threadIdx.x + d]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = Range{lo[0], hi[0]};
}

// One request.  All CUDA resources are made and destroyed by host threads; the
// callback only touches the plain members.
class Request {
public:
    Request()
    {
        try {
            need(cudaMalloc(reinterpret_cast<void **>(&device_), sizeof(Range)));
            need(cudaMallocHost(reinterpret_cast<void **>(&pinned_), sizeof(Range)));
            need(cudaEventCreateWithFlags(&after_, cudaEventDisableTiming));
        } catch (...) {
            destroy();
            throw;
        }
    }
    ~Request()
    {
        (void)cudaEventSynchronize(after_);   // recorded behind the callback: it has returned
        destroy();
    }
    Request(const Request &) = delete;
    Request &operator=(const Request &) = delete;

    void post(const float *x, int n, cudaStream_t stream)
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            if (pending_) throw std::logic_error("request is pending");
            done_ = false;
            pending_ = true;
        }
        try {
            // Order behind an earlier use on a different stream.
            need(cudaStreamWaitEvent(stream, after_, 0));
            range_kernel<<<1, 256, 0, stream>>>(x, n, device_);
            need(cudaGetLastError());
            need(cudaMemcpyAsync(pinned_, device_, sizeof(Range), cudaMemcpyDeviceToHost, stream));
            need(cudaLaunchHostFunc(stream, &Request::on_done, this));
        } catch (...) {
            (void)cudaEventRecord(after_, stream);   // covers whatever was enqueued
            std::lock_guard<std::mutex> lock(mutex_);
            pending_ = false;
            throw;
        }
        need(cudaEventRecord(after_, stream));
    }

    Range wait()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        if (!pending_) throw std::logic_error("nothing posted");
        while (!done_) {
            if (cv_.wait_for(lock, std::chrono::milliseconds(20)) == std::cv_status::timeout && !done_) {
                // A host function is not run after a device error, so look for one,
                // with the lock released: the callback needs it.
                lock.unlock();
                const cudaError_t q = cudaEventQuery(after_);
                if (q != cudaSuccess && q != cudaErrorNotReady) need(q);
                lock.lock();
            }
        }
        pending_ = false;
        return result_;
    }

    bool poll()
    {
        std::lock_guard<std::mutex> lock(mutex_);
        return pending_ && done_;
    }

private:
    static void CUDART_CB on_done(void *arg)
    {
        auto *self = static_cast<Request *>(arg);
        std::lock_guard<std::mutex> lock(self->mutex_);
        self->result_ = *self->pinned_;   // the copy precedes us in the stream
        self->done_ = true;
        self->cv_.notify_all();
    }
    void destroy()
    {
        if (after_) (void)cudaEventDestroy(after_);
        if (pinned_) (void)cudaFreeHost(pinned_);
        if (device_) (void)cudaFree(device_);
    }

    Range *device_ = nullptr;
    Range *pinned_ = nullptr;
    cudaEvent_t after_ = nullptr;
    std::mutex mutex_;
    std::condition_variable cv_;
    Range result_{0.0f, 0.0f};
    bool done_ = false;
    bool pending_ = false;
};

// Ranges of several arrays at once, one request each.
std::vector<Range> ranges(const std::vector<const float *> &arrays, int n, cudaStream_t stream)
{
    std::vector<std::unique_ptr<Request>> reqs;
    for (std::size_t i = 0; i < arrays.size(); ++i) reqs.push_back(std::make_unique<Request>());
    for (std::size_t i = 0; i < arrays.size(); ++i) reqs[i]->post(arrays[i], n, stream);
    std::vector<Range> out;
    for (auto &r : reqs) out.push_back(r->wait());
    return out;
}

}  // namespace hostcb
