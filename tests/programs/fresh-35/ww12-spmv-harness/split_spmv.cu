#include "split_spmv.h"
#include "policies.h"

using bench::must;

namespace {

constexpr int kThreads = 128;
constexpr unsigned long long kShortNs = 4'000'000ull;
constexpr unsigned long long kLongNs = 16'000'000ull;

__global__ void rowsKernel(int first, int last, const int* begin, const int* column,
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

int* toDevice(const std::vector<int>& v)
{
    int* p = nullptr;
    must(cudaMalloc(&p, v.size() * sizeof(int)));
    must(cudaMemcpy(p, v.data(), v.size() * sizeof(int), cudaMemcpyHostToDevice));
    return p;
}

}  // namespace

HostMatrix makeMatrix(int rows, int shortRows)
{
    HostMatrix m;
    m.shortRows = shortRows;
    m.begin.push_back(0);
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

void multiply(const HostMatrix& m, const std::vector<unsigned>& x, std::vector<unsigned>& y)
{
    for (int r = 0; r < m.rows(); ++r) {
        unsigned sum = 0;
        for (int k = m.begin[r]; k < m.begin[r + 1]; ++k) sum += unsigned(m.value[k]) * x[m.column[k]];
        y[r] = sum;
    }
}

SplitSpmv::SplitSpmv(const HostMatrix& m)
    : rows_(m.rows()), shortRows_(m.shortRows),
      begin_(toDevice(m.begin)), column_(toDevice(m.column)), value_(toDevice(m.value))
{
    must(cudaStreamCreateWithFlags(&longStream_, cudaStreamNonBlocking));
    must(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    must(cudaEventCreateWithFlags(&longDone_, cudaEventDisableTiming));
}

SplitSpmv::~SplitSpmv()
{
    cudaEventDestroy(longDone_), cudaEventDestroy(fork_), cudaStreamDestroy(longStream_);
    cudaFree(value_), cudaFree(column_), cudaFree(begin_);
}

void SplitSpmv::apply(const unsigned* x, unsigned* y, cudaStream_t stream)
{
    collect(stream);
    must(cudaEventRecord(fork_, stream));
    must(cudaStreamWaitEvent(longStream_, fork_, 0));
    const auto blocks = [](int n) { return (n + kThreads - 1) / kThreads; };
    rowsKernel<<<blocks(rows_ - shortRows_), kThreads, 0, longStream_>>>(
        shortRows_, rows_, begin_, column_, value_, x, y, kLongNs);
    must(cudaGetLastError());
    must(cudaEventRecord(longDone_, longStream_));
    pending_ = true;
    rowsKernel<<<blocks(shortRows_), kThreads, 0, stream>>>(
        0, shortRows_, begin_, column_, value_, x, y, kShortNs);
    must(cudaGetLastError());
}

void SplitSpmv::collect(cudaStream_t stream)
{
    if (pending_) must(cudaStreamWaitEvent(stream, longDone_, 0));
    pending_ = false;
}
