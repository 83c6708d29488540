#include <thrust/device_vector.h>

#include <functional>
#include <map>

#include "stage.h"

namespace echo {

namespace {

__device__ inline unsigned long long wallNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

__global__ void rectify(int* data, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] = abs(data[i]);
}

// One pass of the relaxation: `effort` is the time its inner solver is given.
__global__ void relax(const int* from, int* to, int lines, int samples, unsigned long long effort) {
    const unsigned long long begin = wallNs();
    while (wallNs() - begin < effort) {
    }
    const int n = lines * samples;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int left = i % samples ? from[i - 1] : from[i];
        to[i] = (from[i] + left) / 2;
    }
}

__global__ void compress(int* data, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] = data[i] > 64 ? 64 + (data[i] - 64) / 4 : data[i];
}

struct Rectify final : Stage {
    Outcome apply(View v, cudaStream_t stream) override {
        rectify<<<8, 256, 0, stream>>>(v.data, v.size());
        return Outcome::of(cudaGetLastError());
    }
};

struct Smooth final : Stage {
    Outcome apply(View v, cudaStream_t stream) override {
        thrust::device_vector<int> half(v.size());
        int* mid = thrust::raw_pointer_cast(half.data());
        relax<<<8, 256, 0, stream>>>(v.data, mid, v.lines, v.samples, 30'000'000ull);
        relax<<<8, 256, 0, stream>>>(mid, v.data, v.lines, v.samples, 30'000'000ull);
        return Outcome::of(cudaGetLastError());
    }
};

struct Compress final : Stage {
    Outcome apply(View v, cudaStream_t stream) override {
        compress<<<8, 256, 0, stream>>>(v.data, v.size());
        return Outcome::of(cudaGetLastError());
    }
};

}  // namespace

Outcome createStage(const std::string& name, std::unique_ptr<Stage>* out) {
    static const std::map<std::string, std::function<std::unique_ptr<Stage>()>> known = {
        {"rectify", [] { return std::make_unique<Rectify>(); }},
        {"smooth", [] { return std::make_unique<Smooth>(); }},
        {"compress", [] { return std::make_unique<Compress>(); }},
    };
    const auto found = known.find(name);
    if (found == known.end()) return {Code::UnknownStage, cudaSuccess};
    *out = found->second();
    return {};
}

}  // namespace echo
