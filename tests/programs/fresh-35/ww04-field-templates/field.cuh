#pragma once
// fx: lazily evaluated device fields.  field.cuh - storage, evaluation, transfer.

#include "expr.cuh"
#include "lane.cuh"

namespace fx {

template <class E>
__global__ void evaluate(double* out, E e, int n, long long cycles)
{
    const long long t0 = clock64();
    while (clock64() - t0 < cycles) {}
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = e(i);
}

class Field {
public:
    Field(Workspace& ws, const Lane& lane) : ws_(&ws), lane_(&lane), data_(ws.acquire()) {}
    ~Field() { ws_->release(data_); }
    Field(const Field&) = delete;
    Field& operator=(const Field&) = delete;

    template <class E>
    Field& operator=(const Expr<E>& e) { return assign(e, 0); }

    // Evaluates on the field's lane; cycles stands for the cost of the closure per cell.
    template <class E>
    Field& assign(const Expr<E>& e, long long cycles)
    {
        const int n = size(), threads = 256;
        evaluate<<<(n + threads - 1) / threads, threads, 0, lane_->stream()>>>(data_, e.self(), n, cycles);
        check(cudaGetLastError());
        return *this;
    }

    void upload(const std::vector<double>& v)
    {
        check(cudaMemcpyAsync(data_, v.data(), v.size() * sizeof(double), cudaMemcpyHostToDevice,
                              lane_->stream()));
        lane_->wait();
    }
    std::vector<double> download() const
    {
        std::vector<double> v(ws_->cells());
        check(cudaMemcpyAsync(v.data(), data_, v.size() * sizeof(double), cudaMemcpyDeviceToHost,
                              lane_->stream()));
        lane_->wait();
        return v;
    }

    int size() const { return static_cast<int>(ws_->cells()); }
    const double* data() const { return data_; }

private:
    Workspace* ws_;
    const Lane* lane_;
    double* data_;
};

inline Ref operand(const Field& f) { return Ref(f.data(), f.size()); }

}  // namespace fx
