#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

namespace room {

class CudaFailure : public std::runtime_error {
public:
    explicit CudaFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void expect(cudaError_t e) {
    if (e != cudaSuccess) throw CudaFailure(e);
}

constexpr int kTaps = 16;

struct Wall {
    std::array<uint32_t, kTaps> tap{};
    uint32_t offset = 0;
};

template <class T>
std::shared_ptr<T> on_device(size_t n) {
    T* p = nullptr;
    expect(cudaMalloc(&p, n * sizeof(T)));
    return std::shared_ptr<T>(p, [](T* q) { cudaFree(q); });
}

template <class T>
std::shared_ptr<T> page_locked(size_t n) {
    T* p = nullptr;
    expect(cudaMallocHost(&p, n * sizeof(T)));
    return std::shared_ptr<T>(p, [](T* q) { cudaFreeHost(q); });
}

// A room as a ready graph: play() turns the dry block into the wet one.
class Chain {
public:
    void play(cudaStream_t stream) const { expect(cudaGraphLaunch(exec_.get(), stream)); }
    uint32_t* dry() const { return front_.get(); }
    uint32_t* wet() const { return wet_; }
    int block() const { return block_; }
    const std::string& title() const { return title_; }

private:
    friend class ChainBuilder;
    std::string title_;
    int block_ = 0;
    uint32_t* wet_ = nullptr;
    std::shared_ptr<uint32_t> front_, back_;
    std::shared_ptr<Wall> walls_, upload_;
    std::shared_ptr<std::remove_pointer_t<cudaGraphExec_t>> exec_;
};

class ChainBuilder {
public:
    explicit ChainBuilder(std::string title) : title_(std::move(title)) {}
    ChainBuilder& block(int samples) {
        block_ = samples;
        return *this;
    }
    ChainBuilder& wall(uint32_t absorption, uint32_t offset);
    Chain build(cudaStream_t stream) const;
    void render(std::vector<uint32_t>& samples) const;

private:
    std::string title_;
    int block_ = 1024;
    std::vector<Wall> walls_;
};

}  // namespace room
