// Sparse matrix times vector, rows split by length: short rows go to the
// caller's stream, long rows to a stream of the operator.
#pragma once
#include <cuda_runtime.h>
#include <vector>

struct HostMatrix {
    std::vector<int> begin, column, value;
    int shortRows = 0;
    int rows() const { return static_cast<int>(begin.size()) - 1; }
};

HostMatrix makeMatrix(int rows, int shortRows);
void multiply(const HostMatrix& m, const std::vector<unsigned>& x, std::vector<unsigned>& y);

class SplitSpmv {
public:
    explicit SplitSpmv(const HostMatrix& m);
    ~SplitSpmv();
    SplitSpmv(const SplitSpmv&) = delete;

    // y = A x. Successive calls on one stream may use each other's results.
    void apply(const unsigned* x, unsigned* y, cudaStream_t stream);
    // Everything queued on the stream from here on sees complete results.
    void collect(cudaStream_t stream);

private:
    int rows_, shortRows_;
    int *begin_, *column_, *value_;
    cudaStream_t longStream_;
    cudaEvent_t fork_, longDone_;
    bool pending_ = false;
};
