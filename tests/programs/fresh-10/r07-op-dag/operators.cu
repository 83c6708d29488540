#include "dag.h"

namespace dag {

namespace {

__global__ void force(int* field, int n, int step) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) field[i] = 1000 * (step + 1) + i % 100;
}

__global__ void advect(const int* from, int* to, int first, int last, long long cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {
    }
    for (int i = first + blockIdx.x * blockDim.x + threadIdx.x; i < last; i += gridDim.x * blockDim.x)
        to[i] = 3 * from[i];
}

__global__ void decay(const int* from, int* to, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[i] - 7;
}

class Forcing final : public Operator {
public:
    explicit Forcing(TensorPtr out) : Operator({}, std::move(out)) {}
    void enqueue(cudaStream_t stream, int step) override {
        force<<<(output_->size + 255) / 256, 256, 0, stream>>>(output_->data, output_->size, step);
        verify(cudaGetLastError());
    }
};

// The polar cap needs many more substeps than the rest of the field and runs beside it.
class Advection final : public Operator {
public:
    Advection(TensorPtr in, TensorPtr out) : Operator({std::move(in)}, std::move(out)) {
        verify(cudaStreamCreateWithFlags(&polar_, cudaStreamNonBlocking));
        verify(cudaEventCreateWithFlags(&begun_, cudaEventDisableTiming));
    }
    ~Advection() override {
        cudaEventDestroy(begun_);
        cudaStreamDestroy(polar_);
    }
    void enqueue(cudaStream_t stream, int) override {
        const int n = output_->size;
        const int cap = n - n / 8;
        verify(cudaEventRecord(begun_, stream));
        verify(cudaStreamWaitEvent(polar_, begun_, 0));
        advect<<<8, 256, 0, polar_>>>(inputs_[0]->data, output_->data, cap, n, 300'000'000);
        verify(cudaGetLastError());
        advect<<<32, 256, 0, stream>>>(inputs_[0]->data, output_->data, 0, cap, 40'000'000);
        verify(cudaGetLastError());
    }

private:
    cudaStream_t polar_ = nullptr;
    cudaEvent_t begun_ = nullptr;
};

class Decay final : public Operator {
public:
    Decay(TensorPtr in, TensorPtr out) : Operator({std::move(in)}, std::move(out)) {}
    void enqueue(cudaStream_t stream, int) override {
        const int n = output_->size;
        decay<<<(n + 255) / 256, 256, 0, stream>>>(inputs_[0]->data, output_->data, n);
        verify(cudaGetLastError());
    }
};

}  // namespace

std::unique_ptr<Operator> makeForcing(TensorPtr out) {
    return std::make_unique<Forcing>(std::move(out));
}
std::unique_ptr<Operator> makeAdvection(TensorPtr in, TensorPtr out) {
    return std::make_unique<Advection>(std::move(in), std::move(out));
}
std::unique_ptr<Operator> makeDecay(TensorPtr in, TensorPtr out) {
    return std::make_unique<Decay>(std::move(in), std::move(out));
}

}  // namespace dag
