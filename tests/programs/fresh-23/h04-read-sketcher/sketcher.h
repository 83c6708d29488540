#pragma once

#include "queue.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace sketch {

struct Config {
    int slots = 3;
    int kmersPerBatch = 1 << 18;
    int buckets = 64;
    long long hashCycles = 60000000;
};

struct CudaFailure : std::runtime_error {
    explicit CudaFailure(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)), code(c) {}
    cudaError_t code;
};

inline void must(cudaError_t code) {
    if (code != cudaSuccess) throw CudaFailure(code);
}

struct HostFree {
    void operator()(void* p) const { cudaFreeHost(p); }
};
struct DeviceFree {
    void operator()(void* p) const { cudaFree(p); }
};
template <typename T>
using PinnedArray = std::unique_ptr<T[], HostFree>;
template <typename T>
using DeviceArray = std::unique_ptr<T[], DeviceFree>;

template <typename T>
PinnedArray<T> makePinned(std::size_t count) {
    void* p = nullptr;
    must(cudaMallocHost(&p, count * sizeof(T)));
    return PinnedArray<T>(static_cast<T*>(p));
}
template <typename T>
DeviceArray<T> makeDevice(std::size_t count) {
    void* p = nullptr;
    must(cudaMalloc(&p, count * sizeof(T)));
    return DeviceArray<T>(static_cast<T*>(p));
}

struct Job {
    int batch;
    int slot;
};

// Counts hashed k-mers per bucket for a series of batches.
class Sketcher {
public:
    using Parser = std::function<void(int batch, std::uint32_t* kmers, int count)>;

    Sketcher(Config config, int batches);
    ~Sketcher();

    // Parses all batches on the caller's thread, the device works behind it.
    std::vector<std::uint32_t> process(const Parser& parse);

private:
    struct Slot {
        PinnedArray<std::uint32_t> kmers;
    };

    std::vector<std::uint32_t> deviceLoop();
    void dispatch(const Job& job);

    Config config_;
    int batches_;
    cudaStream_t stream_ = nullptr;
    std::vector<Slot> slots_;
    DeviceArray<std::uint32_t> kmers_;
    DeviceArray<std::uint32_t> sketches_;
    Channel<int> free_;
    Channel<Job> filled_;
};

}  // namespace sketch
