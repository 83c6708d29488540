#pragma once
#include <cuda_runtime.h>

#include <functional>
#include <future>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace plates {

inline void guard(cudaError_t e) {
    if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

struct Tensor {
    explicit Tensor(const std::vector<float>& host);
    ~Tensor();
    Tensor(const Tensor&) = delete;
    Tensor& operator=(const Tensor&) = delete;
    float* data = nullptr;
    std::size_t size = 0;
};

// Weights by name. A checkpoint only promises its tensors; they are read when somebody asks.
class Checkpoint {
public:
    using Handle = std::shared_ptr<const Tensor>;
    void declare(const std::string& name, std::function<std::vector<float>()> read);
    Handle get(const std::string& name) const;

private:
    std::map<std::string, std::shared_future<Handle>> entries_;
};

class Layer {
public:
    virtual ~Layer() = default;
    virtual void forward(float* activations, int n, cudaStream_t stream) = 0;
};
std::unique_ptr<Layer> makeScale(const Checkpoint& ckpt, std::string name);
std::unique_ptr<Layer> makeShift(const Checkpoint& ckpt, std::string name);

class Reader {
public:
    explicit Reader(int width);
    ~Reader();
    void add(std::unique_ptr<Layer> layer) { layers_.push_back(std::move(layer)); }
    void compile();
    std::vector<float> read(const std::vector<float>& glyphs);

private:
    void forward();

    int width_;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t plan_ = nullptr;
    float* activations_ = nullptr;
    float* pinned_ = nullptr;
    std::vector<std::unique_ptr<Layer>> layers_;
};

}  // namespace plates
