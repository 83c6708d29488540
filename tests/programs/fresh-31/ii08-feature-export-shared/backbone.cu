#include "stages.h"

namespace feat {

namespace {

__global__ void embed_image(float* out, int count, int image) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        out[i] = feature(image, i);
}

}  // namespace

Backbone::Backbone(const ModelConfig& config, BlockCache& cache) : config_(config), cache_(cache) {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Backbone::~Backbone() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
}

TensorPtr Backbone::embed(int image) {
    auto out = std::make_shared<Tensor>(cache_, config_.features, stream_);
    embed_image<<<32, 256, 0, stream_>>>(out->data(), static_cast<int>(out->count()), image);
    must(cudaGetLastError());
    out->publish();
    return out;
}

void Backbone::drain() {
    must(cudaStreamSynchronize(stream_));
}

}  // namespace feat
