#include "model.cuh"

namespace rank {
namespace {

__global__ void dense(const float* w, const float* x, float* y) {
    const int row = blockIdx.x, out = threadIdx.x;
    float acc = 0.0f;
    for (int k = 0; k < kWidth; ++k) acc += w[out * kWidth + k] * x[row * kWidth + k];
    y[row * kWidth + out] = acc > 0.0f ? acc : 0.0f;
}

__global__ void residual(const float* a, const float* b, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = a[i] + 0.5f * b[i];
}

}  // namespace

Model::Model() : host_(kLayers * kWidth * kWidth) {
    for (std::size_t i = 0; i < host_.size(); ++i) host_[i] = static_cast<float>(static_cast<int>(i * 7919 % 41) - 18) / 512.0f;
    check(cudaMalloc(&weights_, host_.size() * sizeof(float)));
    check(cudaMemcpy(weights_, host_.data(), host_.size() * sizeof(float), cudaMemcpyHostToDevice));
    check(cudaDeviceSynchronize());
}

Model::~Model() { cudaFree(weights_); }

Tensor Model::forward(CachingAllocator& alloc, const float* x, int batch, cudaStream_t stream) const {
    Tensor state(alloc, batch, kWidth);
    check(cudaMemcpyAsync(state.data(), x, sizeof(float) * batch * kWidth, cudaMemcpyDeviceToDevice, stream));
    for (int layer = 0; layer < kLayers; ++layer) {
        Tensor hidden(alloc, batch, kWidth);
        dense<<<batch, kWidth, 0, stream>>>(weights_ + layer * kWidth * kWidth, state.data(), hidden.data());
        check(cudaGetLastError());
        Tensor next(alloc, batch, kWidth);
        residual<<<batch, kWidth, 0, stream>>>(hidden.data(), state.data(), next.data());
        check(cudaGetLastError());
        state = std::move(next);
    }
    return state;
}

std::vector<float> Model::reference(const std::vector<float>& x, int batch) const {
    std::vector<float> s(x.begin(), x.begin() + batch * kWidth), n(s.size());
    for (int layer = 0; layer < kLayers; ++layer) {
        const float* w = host_.data() + layer * kWidth * kWidth;
        for (int r = 0; r < batch; ++r)
            for (int o = 0; o < kWidth; ++o) {
                float acc = 0.0f;
                for (int k = 0; k < kWidth; ++k) acc += w[o * kWidth + k] * s[r * kWidth + k];
                n[r * kWidth + o] = (acc > 0.0f ? acc : 0.0f) + 0.5f * s[r * kWidth + o];
            }
        s.swap(n);
    }
    return s;
}

}  // namespace rank
