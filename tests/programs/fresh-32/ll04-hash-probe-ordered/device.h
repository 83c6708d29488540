#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define DB_CUDA(call)                                              \
    do {                                                           \
        cudaError_t err_ = (call);                                 \
        if (err_ != cudaSuccess) {                                 \
            std::printf("ERROR %s\n", cudaGetErrorName(err_));     \
            std::exit(1);                                          \
        }                                                          \
    } while (0)

namespace db {

template <class T>
class DeviceVec {
public:
    explicit DeviceVec(const std::vector<T>& src) : n_(src.size()) {
        DB_CUDA(cudaMalloc(&p_, n_ * sizeof(T)));
        DB_CUDA(cudaMemcpy(p_, src.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
        DB_CUDA(cudaDeviceSynchronize());
    }
    DeviceVec(const DeviceVec&) = delete;
    DeviceVec& operator=(const DeviceVec&) = delete;
    ~DeviceVec() { cudaFree(p_); }
    const T* data() const { return p_; }
    std::size_t size() const { return n_; }

private:
    T* p_ = nullptr;
    std::size_t n_ = 0;
};

}  // namespace db
