#include "registry.h"

namespace {

enum class Kind { Scale, Shift, Clamp };

template <Kind K>
__host__ __device__ inline float apply(float x, float p) {
    if constexpr (K == Kind::Scale) return x * p;
    else if constexpr (K == Kind::Shift) return x + p;
    else return x < p ? x : p;
}

template <Kind K>
__global__ void elementwise(float* x, const float* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = apply<K>(x[i], p[i]);
}

template <Kind K>
class Elementwise : public Layer {
public:
    explicit Elementwise(int seed) : Layer(seed) {
        cudaFuncAttributes attr;
        GPU(cudaFuncGetAttributes(&attr, elementwise<K>));
    }

    void record(Recorder& r) override {
        PinnedArena::Frame frame(r.arena);
        float* p = r.arena.take<float>(r.n);
        for (int i = 0; i < r.n; ++i) p[i] = weight(i);
        GPU(cudaMemcpyAsync(r.params, p, r.n * sizeof(float), cudaMemcpyHostToDevice, r.stream));
        elementwise<K><<<(r.n + 255) / 256, 256, 0, r.stream>>>(r.activation, r.params, r.n);
        GPU(cudaGetLastError());
    }

    float reference(float x, int i) const override { return apply<K>(x, weight(i)); }

private:
    float weight(int i) const {
        if constexpr (K == Kind::Scale) return static_cast<float>(2 + (i + seed_) % 3);
        else if constexpr (K == Kind::Shift) return static_cast<float>(10 * seed_ + i % 7);
        else return static_cast<float>(400 + 5 * (i % 11) + seed_);
    }
};

using ScaleLayer = Elementwise<Kind::Scale>;
using ShiftLayer = Elementwise<Kind::Shift>;
using ClampLayer = Elementwise<Kind::Clamp>;

REGISTER_LAYER("scale", ScaleLayer);
REGISTER_LAYER("shift", ShiftLayer);
REGISTER_LAYER("clamp", ClampLayer);

}  // namespace
