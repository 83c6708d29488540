#include "session.h"

#include <cstdio>
#include <cstdlib>

namespace serve {

void must(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

namespace {

__device__ unsigned long long clockNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

// The attention layers are represented by their run time, the head is real.
__global__ void forward(const float* in, float* out, std::size_t n, Model model,
                        unsigned long long bodyNs) {
    const unsigned long long begin = clockNs();
    while (clockNs() - begin < bodyNs) {
    }
    __syncthreads();
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = model.scale * in[i] + model.bias;
}

}  // namespace

Session::Session(Model model, std::size_t width, int lanes)
    : model_(model), width_(width), lanes_(lanes) {
    for (auto& s : lanes_) must(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
}

Session::~Session() {
    for (auto& s : lanes_) cudaStreamDestroy(s);
}

Response Session::infer(const Request& request) {
    cudaStream_t lane = lanes_[turn_++ % lanes_.size()];
    Tensor features(width_);
    Response response{request.id, Tensor(width_)};
    must(cudaMemcpyAsync(features.data(), request.features, features.bytes(),
                         cudaMemcpyHostToDevice, lane));
    forward<<<16, 256, 0, lane>>>(features.data(), response.scores.data(), width_, model_,
                                  120'000'000ull);
    must(cudaGetLastError());
    return response;
}

void Session::drain() {
    for (auto s : lanes_) must(cudaStreamSynchronize(s));
}

}  // namespace serve
