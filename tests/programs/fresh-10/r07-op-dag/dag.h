#pragma once
#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <vector>

namespace dag {

struct Error : std::runtime_error {
    explicit Error(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void verify(cudaError_t code) {
    if (code != cudaSuccess) throw Error(code);
}

struct Tensor {
    explicit Tensor(int count) : size(count) {
        verify(cudaMalloc(&data, count * sizeof(int)));
        verify(cudaMemset(data, 0, count * sizeof(int)));
        verify(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    }
    ~Tensor() {
        cudaEventDestroy(ready);
        cudaFree(data);
    }
    Tensor(const Tensor&) = delete;
    Tensor& operator=(const Tensor&) = delete;

    int* data = nullptr;
    int size;
    cudaEvent_t ready = nullptr;
};

using TensorPtr = std::shared_ptr<Tensor>;

class Operator {
public:
    explicit Operator(std::vector<TensorPtr> inputs, TensorPtr output)
        : inputs_(std::move(inputs)), output_(std::move(output)) {}
    virtual ~Operator() = default;
    virtual void enqueue(cudaStream_t stream, int step) = 0;
    const std::vector<TensorPtr>& inputs() const { return inputs_; }
    const TensorPtr& output() const { return output_; }

protected:
    std::vector<TensorPtr> inputs_;
    TensorPtr output_;
};

std::unique_ptr<Operator> makeForcing(TensorPtr out);
std::unique_ptr<Operator> makeAdvection(TensorPtr in, TensorPtr out);
std::unique_ptr<Operator> makeDecay(TensorPtr in, TensorPtr out);

// Runs operators in the order in which they were added, each on its own stream.
class Executor {
public:
    ~Executor();
    void add(std::unique_ptr<Operator> op);
    void run(int step);

private:
    std::vector<std::unique_ptr<Operator>> ops_;
    std::vector<cudaStream_t> streams_;
};

}  // namespace dag
