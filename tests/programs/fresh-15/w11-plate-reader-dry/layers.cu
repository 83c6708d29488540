#include "model.hpp"

namespace plates {
namespace {

__global__ void scale(float* a, const float* w, int n, int period) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= w[i % period];
}

__global__ void shift(float* a, const float* w, int n, int period) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += w[i % period];
}

class Named : public Layer {
protected:
    Named(const Checkpoint& c, std::string n) : ckpt_(c), name_(std::move(n)) {}
    const Tensor& weights() {
        if (!held_) held_ = ckpt_.get(name_);
        return *held_;
    }

private:
    const Checkpoint& ckpt_;
    std::string name_;
    Checkpoint::Handle held_;
};

struct Scale final : Named {
    Scale(const Checkpoint& c, std::string n) : Named(c, std::move(n)) {}
    void forward(float* a, int n, cudaStream_t s) override {
        const Tensor& w = weights();
        scale<<<(n + 255) / 256, 256, 0, s>>>(a, w.data, n, int(w.size));
    }
};

struct Shift final : Named {
    Shift(const Checkpoint& c, std::string n) : Named(c, std::move(n)) {}
    void forward(float* a, int n, cudaStream_t s) override {
        const Tensor& w = weights();
        shift<<<(n + 255) / 256, 256, 0, s>>>(a, w.data, n, int(w.size));
    }
};

}  // namespace

std::unique_ptr<Layer> makeScale(const Checkpoint& c, std::string n) { return std::make_unique<Scale>(c, std::move(n)); }
std::unique_ptr<Layer> makeShift(const Checkpoint& c, std::string n) { return std::make_unique<Shift>(c, std::move(n)); }

Reader::Reader(int width) : width_(width) {
    guard(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    guard(cudaMalloc(&activations_, width_ * sizeof(float)));
    guard(cudaMemset(activations_, 0, width_ * sizeof(float)));
    guard(cudaMallocHost(reinterpret_cast<void**>(&pinned_), width_ * sizeof(float)));
    guard(cudaDeviceSynchronize());
}

Reader::~Reader() {
    if (plan_) cudaGraphExecDestroy(plan_);
    cudaStreamDestroy(stream_);
    cudaFreeHost(pinned_);
    cudaFree(activations_);
}

void Reader::forward() {
    for (auto& layer : layers_) {
        layer->forward(activations_, width_, stream_);
        guard(cudaGetLastError());
    }
}

void Reader::compile() {
    forward();
    guard(cudaStreamSynchronize(stream_));

    cudaGraph_t graph = nullptr;
    guard(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    forward();
    guard(cudaStreamEndCapture(stream_, &graph));
    guard(cudaGraphInstantiate(&plan_, graph, 0));
    guard(cudaGraphDestroy(graph));
}

std::vector<float> Reader::read(const std::vector<float>& glyphs) {
    std::copy(glyphs.begin(), glyphs.end(), pinned_);
    guard(cudaMemcpyAsync(activations_, pinned_, width_ * sizeof(float), cudaMemcpyHostToDevice, stream_));
    guard(cudaGraphLaunch(plan_, stream_));
    guard(cudaMemcpyAsync(pinned_, activations_, width_ * sizeof(float), cudaMemcpyDeviceToHost, stream_));
    guard(cudaStreamSynchronize(stream_));
    return std::vector<float>(pinned_, pinned_ + width_);
}

}  // namespace plates
