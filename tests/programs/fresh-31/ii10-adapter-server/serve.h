#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace serve {

class CudaFailure : public std::runtime_error {
public:
    explicit CudaFailure(cudaError_t status) : std::runtime_error(cudaGetErrorName(status)) {}
};

inline void raise_on(cudaError_t status) {
    if (status != cudaSuccess) throw CudaFailure(status);
}

struct ServerOptions {
    int hidden = 8192;
    int layers = 4;
    int tenants = 6;
    int requests_per_tenant = 5;
};

// Weights of one tenant, resident on the device.
class Adapter {
public:
    Adapter(int tenant, const ServerOptions& options);
    ~Adapter();
    Adapter(const Adapter&) = delete;
    Adapter& operator=(const Adapter&) = delete;

    int tenant() const { return tenant_; }
    const float* weights() const { return weights_; }

private:
    int tenant_;
    float* weights_ = nullptr;
};

inline float weight(int tenant, int layer, int i) {
    return static_cast<float>((tenant * 5 + layer * 3 + i) % 8);
}

class AdapterLoader {
public:
    explicit AdapterLoader(const ServerOptions& options) : options_(options) {}
    // Replaces the shelf's previous adapter; runs on the caller's thread.
    std::shared_ptr<Adapter> load(int tenant);

private:
    ServerOptions options_;
    std::shared_ptr<Adapter> shelf_;
};

// The compiled form of one batch shape.
class BatchProgram {
public:
    BatchProgram(const ServerOptions& options, int batch);
    ~BatchProgram();
    BatchProgram(const BatchProgram&) = delete;
    BatchProgram& operator=(const BatchProgram&) = delete;

    void warm();
    void compile();
    std::vector<float> run(const Adapter& adapter, int times);
    int batch() const { return batch_; }

private:
    void enqueue_layers();

    ServerOptions options_;
    int batch_;
    cudaStream_t main_ = nullptr;
    cudaStream_t side_ = nullptr;
    cudaEvent_t fork_ = nullptr;
    cudaEvent_t join_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    const float** weights_slot_ = nullptr;
    const float** weights_host_ = nullptr;
    float* state_ = nullptr;
    float* norm_ = nullptr;
};

}  // namespace serve
