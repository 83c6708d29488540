// 2-D convolution plans behind a non-virtual interface.  execute() is capturable
// once prepare() has been called for the largest image.
//
// One stream per plan: all execute() calls on a plan, and all launches of graphs
// captured from it, must use the same stream (or be ordered by the caller).
#include <cuda_runtime.h>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

namespace convplan {

inline void cu(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

class Taps {   // immutable filter coefficients on the device
public:
    explicit Taps(const std::vector<float> &host) : n_(host.size())
    {
        if (host.empty()) throw std::invalid_argument("no taps");
        cudaStream_t s = nullptr;
        cu(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        cudaError_t e = cudaMalloc(reinterpret_cast<void **>(&dev_), n_ * sizeof(float));
        if (e == cudaSuccess)
            e = cudaMemcpyAsync(dev_, host.data(), n_ * sizeof(float), cudaMemcpyHostToDevice, s);
        if (e == cudaSuccess) e = cudaStreamSynchronize(s);   // complete for every stream
        (void)cudaStreamDestroy(s);
        if (e != cudaSuccess) {
            if (dev_) (void)cudaFree(dev_);
            cu(e);
        }
    }
    ~Taps() { (void)cudaFree(dev_); }
    Taps(const Taps &) = delete;
    Taps &operator=(const Taps &) = delete;
    const float *get() const { return dev_; }
    int count() const { return static_cast<int>(n_); }

private:
    std::size_t n_;
    float *dev_ = nullptr;
};

class ConvPlan {
public:
    virtual ~ConvPlan()
    {
        (void)cudaDeviceSynchronize();   // covers replays of captured graphs too
        if (ws_) (void)cudaFree(ws_);
    }
    ConvPlan(const ConvPlan &) = delete;
    ConvPlan &operator=(const ConvPlan &) = delete;

    // Growth is refused once the plan has been captured: the graph holds the pointer.
    void prepare(int width, int height, cudaStream_t stream) { reserve(do_workspace(width, height), stream); }

    void execute(const float *in, float *out, int width, int height, cudaStream_t stream)
    {
        if (!in || !out || in == out || width <= 0 || height <= 0) throw std::invalid_argument("execute");
        reserve(do_workspace(width, height), stream);
        cudaStreamCaptureStatus st = cudaStreamCaptureStatusNone;
        cu(cudaStreamIsCapturing(stream, &st));
        if (st != cudaStreamCaptureStatusNone) captured_ = true;
        do_execute(in, out, static_cast<float *>(ws_), width, height, stream);
        cu(cudaGetLastError());
    }

protected:
    ConvPlan() = default;

private:
    virtual std::size_t do_workspace(int width, int height) const = 0;
    virtual void do_execute(const float *in, float *out, float *ws, int w, int h, cudaStream_t s) = 0;

    void reserve(std::size_t bytes, cudaStream_t stream)
    {
        if (bytes <= ws_bytes_) return;
        if (captured_) throw std::logic_error("plan is frozen: a graph refers to its workspace");
        cudaStreamCaptureStatus st = cudaStreamCaptureStatusNone;
        cu(cudaStreamIsCapturing(stream, &st));
        if (st != cudaStreamCaptureStatusNone) throw std::logic_error("call prepare() before capturing");
        if (ws_) {
            cu(cudaStreamSynchronize(stream));
            void *old = ws_;
            ws_ = nullptr;
            ws_bytes_ = 0;
            cu(cudaFree(old));
        }
        cu(cudaMalloc(&ws_, bytes));
        ws_bytes_ = bytes;
    }

    void *ws_ = nullptr;
    std::size_t ws_bytes_ = 0;
    bool captured_ = false;
};

__global__ void line_kernel(const float *in, float *out, int w, int h, const float *taps, int n, int dx, int dy)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float acc = 0.0f;
    for (int k = 0; k < n; ++k) {
        const int o = k - n / 2;
        const int xx = min(max(x + o * dx, 0), w - 1);
        const int yy = min(max(y + o * dy, 0), h - 1);
        acc += taps[k] * in[std::size_t(yy) * w + xx];
    }
    out[std::size_t(y) * w + x] = acc;
}

__global__ void dense_kernel(const float *in, float *out, int w, int h, const float *taps, int side)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float acc = 0.0f;
    for (int j = 0; j < side; ++j)
        for (int i = 0; i < side; ++i) {
            const int xx = min(max(x + i - side / 2, 0), w - 1);
            const int yy = min(max(y + j - side / 2, 0), h - 1);
            acc += taps[j * side + i] * in[std::size_t(yy) * w + xx];
        }
    out[std::size_t(y) * w + x] = acc;
}

static dim3 grid_for(int w, int h) { return dim3((w + 31) / 32, (h + 7) / 8); }

class SeparablePlan final : public ConvPlan {
public:
    SeparablePlan(const std::vector<float> &row, const std::vector<float> &col) : row_(row), col_(col) {}
    // Our taps are destroyed before the base destructor runs, so wait here as well.
    ~SeparablePlan() override { (void)cudaDeviceSynchronize(); }

private:
    std::size_t do_workspace(int w, int h) const override { return sizeof(float) * std::size_t(w) * h; }
    void do_execute(const float *in, float *out, float *ws, int w, int h, cudaStream_t s) override
    {
        const dim3 block(32, 8);
        line_kernel<<<grid_for(w, h), block, 0, s>>>(in, ws, w, h, row_.get(), row_.count(), 1, 0);
        line_kernel<<<grid_for(w, h), block, 0, s>>>(ws, out, w, h, col_.get(), col_.count(), 0, 1);
    }
    Taps row_, col_;
};

class DensePlan final : public ConvPlan {
public:
    DensePlan(const std::vector<float> &taps, int side) : taps_(taps), side_(side)
    {
        if (taps_.count() != side * side) throw std::invalid_argument("side");
    }
    ~DensePlan() override { (void)cudaDeviceSynchronize(); }

private:
    std::size_t do_workspace(int, int) const override { return 0; }
    void do_execute(const float *in, float *out, float *, int w, int h, cudaStream_t s) override
    {
        dense_kernel<<<grid_for(w, h), dim3(32, 8), 0, s>>>(in, out, w, h, taps_.get(), side_);
    }
    Taps taps_;
    int side_;
};

std::unique_ptr<ConvPlan> make_separable(const std::vector<float> &row, const std::vector<float> &col)
{
    return std::make_unique<SeparablePlan>(row, col);
}
std::unique_ptr<ConvPlan> make_dense(const std::vector<float> &taps, int side)
{
    return std::make_unique<DensePlan>(taps, side);
}

}  // namespace convplan
