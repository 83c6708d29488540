// Loads rows from the host into a column-major device table.
//   open(table) -> write(row)* -> close()
// Rows are packed into one of two pinned batches; while one batch is filled the
// other is copied and transposed on the writer's own stream.
// A writer is used by one thread at a time.
#include <cuda_runtime.h>
#include <cstddef>
#include <cstring>
#include <stdexcept>

namespace colwriter {

enum class Status { Ok, Full, NotOpen, Failed };

struct Table {
    float *columns;        // device, columns[c * capacity + r]
    std::size_t capacity;  // rows
    int width;
};

__global__ void scatter_rows_kernel(const float *batch, int rows, int width, float *columns, std::size_t capacity,
                                    std::size_t first)
{
    const int total = rows * width;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
        const int c = i / rows, r = i % rows;   // consecutive threads write one column
        columns[std::size_t(c) * capacity + first + r] = batch[std::size_t(r) * width + c];
    }
}

class ColumnWriter {
public:
    explicit ColumnWriter(int max_width, int batch_rows = 4096) : max_width_(max_width), batch_rows_(batch_rows)
    {
        if (max_width <= 0 || batch_rows <= 0 || batch_rows > (1 << 30) / max_width)
            throw std::invalid_argument("ColumnWriter");
        const std::size_t bytes = sizeof(float) * std::size_t(max_width) * batch_rows;
        cudaError_t e = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
        for (auto &b : batches_) {
            if (e == cudaSuccess) e = cudaMallocHost(reinterpret_cast<void **>(&b.host), bytes);
            if (e == cudaSuccess) e = cudaMalloc(reinterpret_cast<void **>(&b.dev), bytes);
            if (e == cudaSuccess) e = cudaEventCreateWithFlags(&b.copied, cudaEventDisableTiming);
        }
        if (e != cudaSuccess) {
            destroy();
            throw std::runtime_error(cudaGetErrorString(e));
        }
    }
    ColumnWriter(const ColumnWriter &) = delete;
    ColumnWriter &operator=(const ColumnWriter &) = delete;
    ~ColumnWriter()
    {
        if (stream_) (void)cudaStreamSynchronize(stream_);
        destroy();
    }

    // `after` is the stream on which the table was last used: we write behind it.
    Status open(const Table &t, cudaStream_t after)
    {
        if (open_ || !t.columns || t.width <= 0 || t.width > max_width_) return Status::Failed;
        cudaEvent_t ready = nullptr;
        error_ = cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
        if (error_ != cudaSuccess) return Status::Failed;
        error_ = cudaEventRecord(ready, after);
        if (error_ == cudaSuccess) error_ = cudaStreamWaitEvent(stream_, ready, 0);
        (void)cudaEventDestroy(ready);
        if (error_ != cudaSuccess) return Status::Failed;
        table_ = t;
        flushed_ = 0;
        filled_ = 0;
        open_ = true;
        return Status::Ok;
    }

    Status write(const float *row)
    {
        if (!open_) return Status::NotOpen;
        if (error_ != cudaSuccess) return Status::Failed;
        if (flushed_ + std::size_t(filled_) == table_.capacity) return Status::Full;
        Batch &b = batches_[current_];
        if (filled_ == 0) {
            // Batch before last: normally long gone.  Never recorded counts as done.
            error_ = cudaEventSynchronize(b.copied);
            if (error_ != cudaSuccess) return Status::Failed;
        }
        std::memcpy(b.host + std::size_t(filled_) * table_.width, row, sizeof(float) * std::size_t(table_.width));
        if (++filled_ == batch_rows_) flush();
        return error_ == cudaSuccess ? Status::Ok : Status::Failed;
    }

    // After close() the table is complete for every stream.
    Status close(std::size_t *rows)
    {
        if (!open_) return Status::NotOpen;
        if (error_ == cudaSuccess && filled_ > 0) flush();
        const cudaError_t e = cudaStreamSynchronize(stream_);
        if (error_ == cudaSuccess) error_ = e;
        open_ = false;
        if (rows) *rows = flushed_;
        return error_ == cudaSuccess ? Status::Ok : Status::Failed;
    }

    cudaError_t error() const { return error_; }

private:
    struct Batch {
        float *host = nullptr;
        float *dev = nullptr;
        cudaEvent_t copied = nullptr;
    };

    void flush()
    {
        Batch &b = batches_[current_];
        const std::size_t bytes = sizeof(float) * std::size_t(filled_) * table_.width;
        // b.dev was last read by a kernel of this stream, so the copy is ordered behind it.
        error_ = cudaMemcpyAsync(b.dev, b.host, bytes, cudaMemcpyHostToDevice, stream_);
        if (error_ != cudaSuccess) return;
        error_ = cudaEventRecord(b.copied, stream_);
        if (error_ != cudaSuccess) return;
        scatter_rows_kernel<<<128, 256, 0, stream_>>>(b.dev, filled_, table_.width, table_.columns, table_.capacity,
                                                     flushed_);
        error_ = cudaGetLastError();
        flushed_ += std::size_t(filled_);
        filled_ = 0;
        current_ ^= 1;
    }
    void destroy() noexcept
    {
        for (auto &b : batches_) {
            if (b.copied) (void)cudaEventDestroy(b.copied);
            if (b.dev) (void)cudaFree(b.dev);
            if (b.host) (void)cudaFreeHost(b.host);
        }
        if (stream_) (void)cudaStreamDestroy(stream_);
    }

    const int max_width_;
    const int batch_rows_;
    cudaStream_t stream_ = nullptr;
    Batch batches_[2];
    int current_ = 0;
    int filled_ = 0;
    std::size_t flushed_ = 0;
    Table table_{};
    bool open_ = false;
    cudaError_t error_ = cudaSuccess;
};

Status load_rows(ColumnWriter &w, const Table &t, const float *rows, std::size_t n, cudaStream_t after)
{
    Status s = w.open(t, after);
    if (s != Status::Ok) return s;
    for (std::size_t i = 0; i < n && s == Status::Ok; ++i) s = w.write(rows + i * std::size_t(t.width));
    const Status c = w.close(nullptr);
    return s != Status::Ok ? s : c;
}

}  // namespace colwriter
