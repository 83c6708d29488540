#include "solver.cuh"

namespace plasma {

namespace {

__global__ void initField(float* f, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) f[i] = static_cast<float>(i % 17);
}

__global__ void pushField(const float* prev, float* next, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) next[i] = prev[i] + 1.0f;
}

}  // namespace

Solver::Solver(int cells) : cells_(cells) {
    PLASMA_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    PLASMA_OK(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
    auto f = std::make_shared<Field>(cells_, 0, stream_);
    initField<<<(cells_ + 255) / 256, 256, 0, stream_>>>(f->data(), cells_);
    PLASMA_OK(cudaGetLastError());
    current_ = std::move(f);
}

Solver::~Solver() {
    current_.reset();
    cudaStreamSynchronize(stream_);
    cudaEventDestroy(ready_);
    cudaStreamDestroy(stream_);
}

void Solver::advance() {
    auto next = std::make_shared<Field>(cells_, ++step_, stream_);
    pushField<<<(cells_ + 255) / 256, 256, 0, stream_>>>(current_->data(), next->data(), cells_);
    PLASMA_OK(cudaGetLastError());
    current_ = std::move(next);
    PLASMA_OK(cudaEventRecord(ready_, stream_));
    for (Observer* o : observers_) o->onStep(current_, ready_);
}

}  // namespace plasma
