#include "filter_bank.h"

#include <algorithm>

namespace fir {

namespace {

__global__ void convolve(const int* __restrict__ taps, const int* __restrict__ in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int acc = 0;
    for (int k = 0; k < kTaps && k <= i; ++k) acc += taps[k] * in[i - k];
    out[i] = acc;
}

}  // namespace

FilterPlan::FilterPlan(int band, int samples, cudaStream_t stream)
    : band_(band),
      samples_(samples),
      stream_(stream),
      taps_(deviceArray<int>(kTaps)),
      input_(deviceArray<int>(samples)),
      output_(deviceArray<int>(samples)),
      feed_(pinnedArray<int>(samples)),
      yield_(pinnedArray<int>(samples)) {}

FilterPlan::~FilterPlan() {
    if (exec_) cudaGraphExecDestroy(exec_);
}

std::vector<int> FilterPlan::execute(const std::vector<int>& signal) {
    std::copy(signal.begin(), signal.end(), feed_.get());
    must(cudaGraphLaunch(exec_, stream_));
    must(cudaStreamSynchronize(stream_));
    return std::vector<int>(yield_.get(), yield_.get() + samples_);
}

FilterBank::FilterBank(int samples) : samples_(samples), coefficients_(pinnedArray<int>(kTaps)) {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

FilterBank::~FilterBank() {
    cudaStreamDestroy(stream_);
}

std::unique_ptr<FilterPlan> FilterBank::design(int band) {
    std::unique_ptr<FilterPlan> plan(new FilterPlan(band, samples_, stream_));
    for (int k = 0; k < kTaps; ++k) coefficients_[k] = tap(band, k);

    cudaGraph_t graph = nullptr;
    const std::size_t bytes = samples_ * sizeof(int);
    must(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    must(cudaMemcpyAsync(plan->taps_.get(), coefficients_.get(), kTaps * sizeof(int),
                         cudaMemcpyHostToDevice, stream_));
    must(cudaMemcpyAsync(plan->input_.get(), plan->feed_.get(), bytes, cudaMemcpyHostToDevice, stream_));
    convolve<<<(samples_ + 255) / 256, 256, 0, stream_>>>(plan->taps_.get(), plan->input_.get(),
                                                          plan->output_.get(), samples_);
    must(cudaGetLastError());
    must(cudaMemcpyAsync(plan->yield_.get(), plan->output_.get(), bytes, cudaMemcpyDeviceToHost, stream_));
    must(cudaStreamEndCapture(stream_, &graph));
    must(cudaGraphInstantiate(&plan->exec_, graph, 0));
    must(cudaGraphDestroy(graph));
    return plan;
}

}  // namespace fir
