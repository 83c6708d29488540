#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <vector>

#define GPU(x)                                                 \
    do {                                                       \
        cudaError_t gpu_e_ = (x);                              \
        if (gpu_e_ != cudaSuccess) {                           \
            std::printf("ERROR %s\n", cudaGetErrorName(gpu_e_)); \
            std::exit(2);                                      \
        }                                                      \
    } while (0)

namespace md {

struct DestroyStream { void operator()(cudaStream_t s) const { cudaStreamDestroy(s); } };
struct DestroyPool { void operator()(cudaMemPool_t p) const { cudaMemPoolDestroy(p); } };
struct FreeDevice { void operator()(void* p) const { cudaFree(p); } };

using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, DestroyStream>;
using Pool = std::unique_ptr<std::remove_pointer_t<cudaMemPool_t>, DestroyPool>;

template <class T>
std::unique_ptr<T, FreeDevice> device_array(std::size_t n) {
    void* p = nullptr;
    GPU(cudaMalloc(&p, n * sizeof(T)));
    return std::unique_ptr<T, FreeDevice>(static_cast<T*>(p));
}

// Scratch memory for one step.
template <class T>
class Scratch {
  public:
    Scratch(std::size_t n, cudaMemPool_t pool, cudaStream_t s) : s_(s) {
        void* p = nullptr;
        GPU(cudaMallocFromPoolAsync(&p, n * sizeof(T), pool, s));
        p_ = static_cast<T*>(p);
    }
    ~Scratch() { cudaFreeAsync(p_, s_); }
    Scratch(const Scratch&) = delete;
    T* get() const { return p_; }

  private:
    cudaStream_t s_;
    T* p_ = nullptr;
};

struct Settings {
    int atoms = 1 << 15;
    unsigned long long force_ns = 15'000'000ull;
};

// One copy of the system at its own temperature.
class Replica {
  public:
    Replica(int id, const Settings& s);
    void step();
    void settle() const { GPU(cudaStreamSynchronize(stream_.get())); }
    int steps() const { return steps_; }
    std::vector<std::uint32_t> positions() const;
    static std::uint32_t start(int id, int atom) { return static_cast<std::uint32_t>(id * 1000003 + atom * 17); }
    static std::uint32_t force(std::uint32_t x, std::uint32_t neighbour) { return (x >> 3) + neighbour * 5u + 1u; }

  private:
    int id_;
    Settings set_;
    int steps_ = 0;
    Stream stream_;
    Pool pool_;
    std::unique_ptr<std::uint32_t, FreeDevice> x_;
};

// Heartbeat of the whole run, shown to operators.
class Monitor {
  public:
    Monitor();
    std::uint32_t beat();

  private:
    std::unique_ptr<std::uint32_t, FreeDevice> counter_;
};

}  // namespace md
