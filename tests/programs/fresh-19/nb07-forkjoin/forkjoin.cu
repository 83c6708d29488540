// Row-wise softmax of many independent matrices spread over internal lanes.
// To the caller a call behaves like one operation on `stream`.
#include <cuda_runtime.h>
#include <algorithm>
#include <cfloat>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace forkjoin {

static void must(cudaError_t e)
{
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}

struct Matrix {
    float *data;   // device, row-major, contiguous
    int rows, cols;
};

// scratch[2 * row] = maximum, scratch[2 * row + 1] = sum of exponentials
__global__ void stats_kernel(const float *x, int rows, int cols, float *scratch)
{
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const int lane = threadIdx.x & 31;
    if (row >= rows) return;   // a whole warp leaves together
    const float *r = x + std::size_t(row) * cols;
    float m = -FLT_MAX;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, r[c]);
    for (int d = 16; d; d >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
    float s = 0.0f;
    for (int c = lane; c < cols; c += 32) s += expf(r[c] - m);
    for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(0xffffffffu, s, d);
    if (lane == 0) {
        scratch[2 * std::size_t(row)] = m;
        scratch[2 * std::size_t(row) + 1] = s;
    }
}

__global__ void apply_kernel(float *x, int rows, int cols, const float *scratch)
{
    const std::size_t total = std::size_t(rows) * cols;
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < total; i += step) {
        const std::size_t row = i / cols;
        x[i] = expf(x[i] - scratch[2 * row]) / scratch[2 * row + 1];
    }
}

class Lane {
public:
    explicit Lane(int max_rows)
    {
        try {
            must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
            must(cudaEventCreateWithFlags(&joined_, cudaEventDisableTiming));
            must(cudaMalloc(reinterpret_cast<void **>(&scratch_), 2 * sizeof(float) * std::size_t(max_rows)));
        } catch (...) {
            destroy();
            throw;
        }
    }
    Lane(const Lane &) = delete;
    Lane &operator=(const Lane &) = delete;
    ~Lane() { destroy(); }

    void fork_from(cudaEvent_t ready) { must(cudaStreamWaitEvent(stream_, ready, 0)); }
    void run(const Matrix &m)
    {
        stats_kernel<<<(m.rows + 7) / 8, 256, 0, stream_>>>(m.data, m.rows, m.cols, scratch_);
        must(cudaGetLastError());
        const std::size_t total = std::size_t(m.rows) * m.cols;
        const int blocks = static_cast<int>(std::min<std::size_t>((total + 255) / 256, 1024));
        apply_kernel<<<blocks, 256, 0, stream_>>>(m.data, m.rows, m.cols, scratch_);
        must(cudaGetLastError());
    }
    void join_into(cudaStream_t stream)
    {
        must(cudaEventRecord(joined_, stream_));
        must(cudaStreamWaitEvent(stream, joined_, 0));
    }

private:
    void destroy()
    {
        if (stream_) (void)cudaStreamSynchronize(stream_);
        if (scratch_) (void)cudaFree(scratch_);
        if (joined_) (void)cudaEventDestroy(joined_);
        if (stream_) (void)cudaStreamDestroy(stream_);
    }
    cudaStream_t stream_ = nullptr;
    cudaEvent_t joined_ = nullptr;
    float *scratch_ = nullptr;
};

class BatchedSoftmax {
public:
    BatchedSoftmax(int lanes, int max_rows) : max_rows_(max_rows)
    {
        if (lanes <= 0 || max_rows <= 0) throw std::invalid_argument("BatchedSoftmax");
        for (int i = 0; i < lanes; ++i) lanes_.push_back(std::make_unique<Lane>(max_rows));
        must(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));   // last: nothing can throw after it
    }
    BatchedSoftmax(const BatchedSoftmax &) = delete;
    BatchedSoftmax &operator=(const BatchedSoftmax &) = delete;
    ~BatchedSoftmax() { (void)cudaEventDestroy(ready_); }

    // The matrices must not overlap.  Safe to call from several threads and with
    // different streams; not capturable, since the lanes' scratch is shared by all calls.
    void run(const std::vector<Matrix> &batch, cudaStream_t stream)
    {
        for (const Matrix &m : batch)
            if (m.rows <= 0 || m.cols <= 0 || m.rows > max_rows_) throw std::invalid_argument("matrix shape");
        cudaStreamCaptureStatus st = cudaStreamCaptureStatusNone;
        must(cudaStreamIsCapturing(stream, &st));
        if (st != cudaStreamCaptureStatusNone) throw std::logic_error("BatchedSoftmax::run in a capture");

        std::lock_guard<std::mutex> lock(mutex_);
        const std::size_t used = std::min(lanes_.size(), batch.size());
        must(cudaEventRecord(ready_, stream));
        for (std::size_t l = 0; l < used; ++l) lanes_[l]->fork_from(ready_);
        try {
            for (std::size_t i = 0; i < batch.size(); ++i) lanes_[i % used]->run(batch[i]);
        } catch (...) {
            for (std::size_t l = 0; l < used; ++l) {
                try { lanes_[l]->join_into(stream); } catch (...) {}
            }
            throw;
        }
        for (std::size_t l = 0; l < used; ++l) lanes_[l]->join_into(stream);
    }

private:
    const int max_rows_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    cudaEvent_t ready_ = nullptr;
};

void softmax_all(BatchedSoftmax &op, const std::vector<Matrix> &batch, cudaStream_t stream) { op.run(batch, stream); }

}  // namespace forkjoin
