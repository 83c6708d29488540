#include "reconstructor.h"

namespace ct {
namespace {

__global__ void apply_weights(float* projections, const float* weights, int views, int detectors) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < views * detectors) projections[i] *= weights[i / detectors];
}

__global__ void backproject(const float* projections, int views, int detectors, float* image) {
    const int d = blockIdx.x * blockDim.x + threadIdx.x;
    if (d >= detectors) return;
    float sum = 0.f;
    for (int v = 0; v < views; ++v) sum += projections[v * detectors + (d + v) % detectors];
    image[d] = sum;
}

DeviceFloats device_floats(std::size_t n) {
    void* p = nullptr;
    require(cudaMalloc(&p, n * sizeof(float)));
    return DeviceFloats(static_cast<float*>(p));
}

PinnedFloats pinned_floats(std::size_t n) {
    void* p = nullptr;
    require(cudaHostAlloc(&p, n * sizeof(float), cudaHostAllocDefault));
    return PinnedFloats(static_cast<float*>(p));
}

}  // namespace

float view_weight(int view) { return static_cast<float>(1 + view % 4); }

Reconstructor::Reconstructor(const Geometry& geometry)
    : geometry_(geometry),
      weights_(device_floats(geometry.views)),
      projections_(device_floats(static_cast<std::size_t>(geometry.views) * geometry.detectors)),
      image_(device_floats(geometry.detectors)) {
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    prepare();
}

Reconstructor::~Reconstructor() { cudaStreamDestroy(stream_); }

void Reconstructor::prepare() {
    host_weights_ = pinned_floats(geometry_.views);
    for (int v = 0; v < geometry_.views; ++v) host_weights_[v] = view_weight(v);

    const int samples = geometry_.views * geometry_.detectors;
    iteration_ = Replay::record(stream_, [&](cudaStream_t s) {
        require(cudaMemcpyAsync(weights_.get(), host_weights_.get(),
                                geometry_.views * sizeof(float), cudaMemcpyHostToDevice, s));
        apply_weights<<<(samples + 255) / 256, 256, 0, s>>>(projections_.get(), weights_.get(),
                                                            geometry_.views, geometry_.detectors);
        backproject<<<(geometry_.detectors + 127) / 128, 128, 0, s>>>(
            projections_.get(), geometry_.views, geometry_.detectors, image_.get());
    });
}

void Reconstructor::upload(int slice, const ProjectionSource& source) {
    StagingArena::Scope scope;
    const std::size_t n = static_cast<std::size_t>(geometry_.views) * geometry_.detectors;
    float* staged = StagingArena::instance().take<float>(n);
    source(slice, staged);
    require(cudaMemcpyAsync(projections_.get(), staged, n * sizeof(float), cudaMemcpyHostToDevice,
                            stream_));
    require(cudaStreamSynchronize(stream_));
}

std::vector<float> Reconstructor::reconstruct(int slice, const ProjectionSource& source) {
    upload(slice, source);
    iteration_.launch(stream_);
    std::vector<float> image(geometry_.detectors);
    require(cudaMemcpyAsync(image.data(), image_.get(), image.size() * sizeof(float),
                            cudaMemcpyDeviceToHost, stream_));
    require(cudaStreamSynchronize(stream_));
    return image;
}

}  // namespace ct
