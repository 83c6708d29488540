// Sparse matrix times vector, rows split by length: short rows go to the
// caller's stream, long rows to a stream of the operator.
#pragma once
#include "minitest.h"
#include <cuda_runtime.h>

struct Csr {
    std::vector<int> begin{0}, column, value;
    int shortRows = 0;

    static Csr Make(int rows, int shortRows)
    {
        Csr m;
        m.shortRows = shortRows;
        for (int r = 0; r < rows; ++r) {
            const int length = r < shortRows ? 3 : 48;
            for (int k = 0; k < length; ++k) {
                m.column.push_back((r * 17 + k * 101) % rows);
                m.value.push_back((r * 31 + k * 7) % 13 + 1);
            }
            m.begin.push_back(static_cast<int>(m.column.size()));
        }
        return m;
    }
    int Rows() const { return static_cast<int>(begin.size()) - 1; }
    std::vector<unsigned> Times(const std::vector<unsigned>& x) const
    {
        std::vector<unsigned> y(Rows());
        for (int r = 0; r < Rows(); ++r)
            for (int k = begin[r]; k < begin[r + 1]; ++k) y[r] += unsigned(value[k]) * x[column[k]];
        return y;
    }
};

static __global__ void RowsKernel(int first, int last, const int* begin, const int* column,
                                  const int* value, const unsigned* x, unsigned* y, unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    while (t - t0 < ns);

    const int row = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= last) return;
    unsigned sum = 0;
    for (int k = begin[row]; k < begin[row + 1]; ++k) sum += unsigned(value[k]) * x[column[k]];
    y[row] = sum;
}

class SplitSpmv {
public:
    explicit SplitSpmv(const Csr& m)
        : rows_(m.Rows()), short_(m.shortRows), begin_(Copy(m.begin)), column_(Copy(m.column)), value_(Copy(m.value))
    {
        ASSERT_CUDA(cudaStreamCreateWithFlags(&longStream_, cudaStreamNonBlocking));
        ASSERT_CUDA(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
        ASSERT_CUDA(cudaEventCreateWithFlags(&longDone_, cudaEventDisableTiming));
    }
    ~SplitSpmv()
    {
        cudaEventDestroy(longDone_), cudaEventDestroy(fork_), cudaStreamDestroy(longStream_);
        cudaFree(value_), cudaFree(column_), cudaFree(begin_);
    }
    SplitSpmv(const SplitSpmv&) = delete;

    // y = A x. Successive calls on one stream may use each other's results.
    void Apply(const unsigned* x, unsigned* y, cudaStream_t stream)
    {
        Collect(stream);
        ASSERT_CUDA(cudaEventRecord(fork_, stream));
        ASSERT_CUDA(cudaStreamWaitEvent(longStream_, fork_, 0));
        RowsKernel<<<(rows_ - short_ + 127) / 128, 128, 0, longStream_>>>(
            short_, rows_, begin_, column_, value_, x, y, 16'000'000ull);
        ASSERT_CUDA(cudaGetLastError());
        ASSERT_CUDA(cudaEventRecord(longDone_, longStream_));
        pending_ = true;
        RowsKernel<<<(short_ + 127) / 128, 128, 0, stream>>>(
            0, short_, begin_, column_, value_, x, y, 4'000'000ull);
        ASSERT_CUDA(cudaGetLastError());
    }

    // Everything queued on the stream from here on sees complete results.
    void Collect(cudaStream_t stream)
    {
        if (pending_) ASSERT_CUDA(cudaStreamWaitEvent(stream, longDone_, 0));
        pending_ = false;
    }

private:
    static int* Copy(const std::vector<int>& v)
    {
        int* p = nullptr;
        ASSERT_CUDA(cudaMalloc(&p, v.size() * sizeof(int)));
        ASSERT_CUDA(cudaMemcpy(p, v.data(), v.size() * sizeof(int), cudaMemcpyHostToDevice));
        return p;
    }

    int rows_, short_;
    int *begin_, *column_, *value_;
    cudaStream_t longStream_{};
    cudaEvent_t fork_{}, longDone_{};
    bool pending_ = false;
};
