#include "fx.h"
#include "fx_kernels.cuh"

#include <cmath>
#include <map>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace {

struct DeviceFree {
    void operator()(void* p) const { cudaFree(p); }
};
using DeviceBytes = std::unique_ptr<char, DeviceFree>;

cudaError_t allocate(DeviceBytes& bytes, size_t size)
{
    void*             p      = nullptr;
    const cudaError_t status = cudaMalloc(&p, size);
    bytes.reset(status == cudaSuccess ? static_cast<char*>(p) : nullptr);
    return status;
}

// Scratch memory that several streams take turns with.
class WorkArea {
public:
    ~WorkArea()
    {
        if (released_ != nullptr) {
            cudaEventDestroy(released_);
        }
    }

    cudaError_t init() { return cudaEventCreateWithFlags(&released_, cudaEventDisableTiming); }

    cudaError_t reserve(size_t size)
    {
        if (size <= size_) {
            return cudaSuccess;
        }
        DeviceBytes       larger;
        const cudaError_t status = allocate(larger, size);
        if (status != cudaSuccess) {
            return status;
        }
        const cudaError_t waited = drain();
        if (waited != cudaSuccess) {
            return waited;
        }
        memory_ = std::move(larger);
        size_   = size;
        return cudaSuccess;
    }

    cudaError_t acquire(cudaStream_t stream, void** memory)
    {
        *memory = memory_.get();
        return cudaStreamWaitEvent(stream, released_, 0);
    }

    cudaError_t release(cudaStream_t stream) { return cudaEventRecord(released_, stream); }

    cudaError_t drain() { return cudaEventSynchronize(released_); }

    size_t size() const { return size_; }

private:
    DeviceBytes memory_;
    size_t      size_     = 0;
    cudaEvent_t released_ = nullptr;
};

}  // namespace

struct fxContext_st {
    WorkArea                                   work;
    std::map<int, std::shared_ptr<DeviceBytes>> twiddles;  // of each length, for all plans
    int                                        plans = 0;
};

struct fxPlan_st {
    fxContext                    context;
    int                          n;
    int                          batch;
    cudaStream_t                 stream;
    std::shared_ptr<DeviceBytes> twiddles;

    size_t          elements() const { return static_cast<size_t>(n) * batch; }
    size_t          bytes() const { return elements() * sizeof(cuFloatComplex); }
    cuFloatComplex* table() const { return reinterpret_cast<cuFloatComplex*>(twiddles->get()); }
};

namespace {

fxResult makeTwiddles(int n, std::shared_ptr<DeviceBytes>& result)
{
    std::vector<cuFloatComplex> table(n / 2);
    for (int i = 0; i < n / 2; i++) {
        const double angle = -2.0 * 3.14159265358979323846 * i / n;
        table[i]           = make_cuFloatComplex(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
    }
    const size_t bytes  = table.size() * sizeof(table[0]);
    auto         device = std::make_shared<DeviceBytes>();
    if (allocate(*device, bytes) != cudaSuccess) {
        return FX_ALLOC_FAILED;
    }
    if (cudaMemcpyAsync(device->get(), table.data(), bytes, cudaMemcpyHostToDevice, cudaStreamPerThread) != cudaSuccess ||
        cudaStreamSynchronize(cudaStreamPerThread) != cudaSuccess) {
        return FX_INTERNAL_ERROR;
    }
    result = std::move(device);
    return FX_SUCCESS;
}

}  // namespace

extern "C" {

const char* fxResultName(fxResult result)
{
    static const char* const names[] = {"FX_SUCCESS",      "FX_INVALID_VALUE", "FX_INVALID_SIZE",
                                        "FX_ALLOC_FAILED", "FX_EXEC_FAILED",   "FX_INTERNAL_ERROR"};
    return names[result];
}

fxResult fxContextCreate(fxContext* context)
{
    if (context == nullptr) {
        return FX_INVALID_VALUE;
    }
    std::unique_ptr<fxContext_st> fresh(new (std::nothrow) fxContext_st);
    if (!fresh) {
        return FX_ALLOC_FAILED;
    }
    if (fresh->work.init() != cudaSuccess) {
        return FX_INTERNAL_ERROR;
    }
    *context = fresh.release();
    return FX_SUCCESS;
}

fxResult fxContextDestroy(fxContext context)
{
    if (context == nullptr || context->plans != 0) {
        return FX_INVALID_VALUE;
    }
    const cudaError_t drained = context->work.drain();
    delete context;
    return drained == cudaSuccess ? FX_SUCCESS : FX_INTERNAL_ERROR;
}

fxResult fxContextGetWorkSize(fxContext context, size_t* bytes)
{
    if (context == nullptr || bytes == nullptr) {
        return FX_INVALID_VALUE;
    }
    *bytes = context->work.size();
    return FX_SUCCESS;
}

fxResult fxPlan1d(fxContext context, fxPlan* plan, int n, int batch)
{
    if (context == nullptr || plan == nullptr) {
        return FX_INVALID_VALUE;
    }
    if (n < 2 || (n & (n - 1)) != 0 || batch < 1) {
        return FX_INVALID_SIZE;
    }
    std::shared_ptr<DeviceBytes>& twiddles = context->twiddles[n];
    if (!twiddles) {
        const fxResult made = makeTwiddles(n, twiddles);
        if (made != FX_SUCCESS) {
            return made;
        }
    }
    std::unique_ptr<fxPlan_st> fresh(new (std::nothrow) fxPlan_st{context, n, batch, nullptr, twiddles});
    if (!fresh || context->work.reserve(fresh->bytes()) != cudaSuccess) {
        return FX_ALLOC_FAILED;
    }
    context->plans++;
    *plan = fresh.release();
    return FX_SUCCESS;
}

fxResult fxDestroy(fxPlan plan)
{
    if (plan == nullptr) {
        return FX_INVALID_VALUE;
    }
    plan->context->plans--;
    delete plan;
    return FX_SUCCESS;
}

fxResult fxSetStream(fxPlan plan, cudaStream_t stream)
{
    if (plan == nullptr) {
        return FX_INVALID_VALUE;
    }
    plan->stream = stream;
    return FX_SUCCESS;
}

fxResult fxExecC2C(fxPlan plan, cuFloatComplex* data, int direction)
{
    if (plan == nullptr || data == nullptr || (direction != FX_FORWARD && direction != FX_INVERSE)) {
        return FX_INVALID_VALUE;
    }
    WorkArea& work    = plan->context->work;
    void*     scratch = nullptr;
    if (work.acquire(plan->stream, &scratch) != cudaSuccess) {
        return FX_EXEC_FAILED;
    }
    const size_t    butterflies = plan->elements() / 2;
    cuFloatComplex* in          = data;
    cuFloatComplex* out         = static_cast<cuFloatComplex*>(scratch);
    for (int stride = 1; stride < plan->n; stride *= 2) {
        fx::stage<<<fx::blocksFor(butterflies), fx::threads, 0, plan->stream>>>(
            in, out, plan->table(), plan->n, stride, butterflies, direction == FX_INVERSE);
        std::swap(in, out);
    }
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess && in != data) {
        status = cudaMemcpyAsync(data, in, plan->bytes(), cudaMemcpyDeviceToDevice, plan->stream);
    }
    const cudaError_t released = work.release(plan->stream);
    return status == cudaSuccess && released == cudaSuccess ? FX_SUCCESS : FX_EXEC_FAILED;
}

fxResult fxScale(fxPlan plan, cuFloatComplex* data, float factor)
{
    if (plan == nullptr || data == nullptr) {
        return FX_INVALID_VALUE;
    }
    fx::scale<<<fx::blocksFor(plan->elements()), fx::threads, 0, plan->stream>>>(data, plan->elements(), factor);
    return cudaGetLastError() == cudaSuccess ? FX_SUCCESS : FX_EXEC_FAILED;
}

}  // extern "C"
