#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define GS_CHECK(expr)                                             \
    do {                                                           \
        cudaError_t e_ = (expr);                                   \
        if (e_ != cudaSuccess) {                                   \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));       \
            std::exit(1);                                          \
        }                                                          \
    } while (0)

namespace gs {

// Process-wide runtime state; owns the stream for eager work.
class Runtime {
public:
    static Runtime& instance() {
        static Runtime runtime;
        return runtime;
    }
    cudaStream_t stream() const { return stream_; }

private:
    Runtime() { GS_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    cudaStream_t stream_ = nullptr;
};

struct Shape {
    int batch = 16;
    int hidden = 256;
    int vocab = 1024;
};

struct Activations {
    int* tokens = nullptr;
    int* hidden = nullptr;
    int* logits = nullptr;
    int* picks = nullptr;
};

class Trunk {
public:
    explicit Trunk(const Shape& shape) : shape_(shape) {}
    void enqueue(const Activations& act, cudaStream_t stream) const;

private:
    Shape shape_;
};

class Sampler {
public:
    explicit Sampler(const Shape& shape) : shape_(shape) {}
    void enqueue(const Activations& act, cudaStream_t stream) const;

private:
    Shape shape_;
};

inline __host__ __device__ int embed(int token, int c) { return static_cast<int>((token * 2654435u + c * 40503u) & 0xffu); }
inline __host__ __device__ int weight(int c, int v) { return ((c * 7 + 3) * (v * 13 + 5) >> 2) & 0x3f; }

}  // namespace gs
