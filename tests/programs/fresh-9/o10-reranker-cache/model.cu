#include "model.h"

namespace {

__global__ void project(const int* in, const int* w, int* hidden, int batch) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < batch * kFeatures; i += gridDim.x * blockDim.x)
        hidden[i] += in[i] * w[i % kFeatures];
}

__global__ void reduceRows(const int* hidden, int* out, int batch) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= batch) return;
    int s = 0;
    for (int f = 0; f < kFeatures; ++f) s += hidden[row * kFeatures + f];
    out[row] = s;
}

DevicePtr deviceInts(size_t n) {
    int* p = nullptr;
    ensure(cudaMalloc(&p, n * sizeof(int)));
    return DevicePtr(p);
}

class RelaxedScope {
public:
    RelaxedScope() { ensure(cudaThreadExchangeStreamCaptureMode(&mode_)); }
    ~RelaxedScope() { ensure(cudaThreadExchangeStreamCaptureMode(&mode_)); }

private:
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

}  // namespace

Weights::Weights(int generation, cudaStream_t loader) : generation_(generation) {
    std::vector<int> host(kFeatures);
    for (int i = 0; i < kFeatures; ++i) host[i] = value(generation, i);
    ensure(cudaMalloc(&dev_, kFeatures * sizeof(int)));
    ensure(cudaMemcpyAsync(dev_, host.data(), kFeatures * sizeof(int), cudaMemcpyHostToDevice, loader));
    ensure(cudaStreamSynchronize(loader));
}

Session::Session() {
    ensure(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ensure(cudaMallocHost(&in_, kMaxBatch * kFeatures * sizeof(int)));
    ensure(cudaMallocHost(&out_, kMaxBatch * sizeof(int)));
    devIn_ = deviceInts(kMaxBatch * kFeatures);
    devOut_ = deviceInts(kMaxBatch);
    project<<<1, 32, 0, stream_>>>(nullptr, nullptr, nullptr, 0);
    reduceRows<<<1, 32, 0, stream_>>>(nullptr, nullptr, 0);
    ensure(cudaGetLastError());
    ensure(cudaStreamSynchronize(stream_));
}

Session::~Session() {
    ensure(cudaStreamSynchronize(stream_));
    plans_.clear();
    ensure(cudaFreeHost(out_));
    ensure(cudaFreeHost(in_));
    ensure(cudaStreamDestroy(stream_));
}

Session::Plan Session::build(int batch, const Weights& w) {
    Plan plan;
    const size_t featureBytes = size_t(batch) * kFeatures * sizeof(int);
    cudaGraph_t graph = nullptr;
    ensure(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    {
        RelaxedScope relaxed;
        plan.hidden = deviceInts(size_t(batch) * kFeatures);
    }
    ensure(cudaMemcpyAsync(devIn_.get(), in_, featureBytes, cudaMemcpyHostToDevice, stream_));
    ensure(cudaMemsetAsync(plan.hidden.get(), 0, featureBytes, stream_));
    project<<<16, 256, 0, stream_>>>(devIn_.get(), w.data(), plan.hidden.get(), batch);
    reduceRows<<<1, kMaxBatch, 0, stream_>>>(plan.hidden.get(), devOut_.get(), batch);
    ensure(cudaGetLastError());
    ensure(cudaMemcpyAsync(out_, devOut_.get(), batch * sizeof(int), cudaMemcpyDeviceToHost, stream_));
    ensure(cudaStreamEndCapture(stream_, &graph));
    cudaGraphExec_t exec = nullptr;
    ensure(cudaGraphInstantiate(&exec, graph, 0));
    ensure(cudaGraphDestroy(graph));
    plan.exec.reset(exec);
    return plan;
}

void Session::rank(int batch, const Weights& w) {
    const auto key = std::make_pair(batch, w.generation());
    auto it = plans_.find(key);
    if (it == plans_.end()) it = plans_.emplace(key, build(batch, w)).first;
    ensure(cudaGraphLaunch(it->second.exec.get(), stream_));
    ensure(cudaStreamSynchronize(stream_));
}
