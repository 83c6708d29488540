#include "acquisition.h"

#include <cstdio>
#include <cstdlib>

namespace seis {

[[noreturn]] void fail(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

namespace {

__global__ void shoot(float* raw, int traces, int samples, int gather) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= traces * samples) return;
    const int t = i / samples, s = i % samples;
    raw[i] = float((t * 3 + s + gather * 7) % 16);
}

// Static shift per trace, standing in for the moveout correction.
__global__ void moveout(const float* raw, float* out, int traces, int samples) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= traces * samples) return;
    const int t = i / samples, s = i % samples;
    out[i] = s + t < samples ? raw[t * samples + s + t] : 0.0f;
}

}  // namespace

Acquisition::Acquisition(const Survey& survey, TraceWriter& writer)
    : survey_(survey), writer_(writer) {
    const size_t bytes = survey_.points() * sizeof(float);
    SEIS_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    SEIS_CHECK(cudaMalloc(&raw_, bytes));
    SEIS_CHECK(cudaMalloc(&moved_, bytes));
    slots_.resize(survey_.slots);
    for (auto& s : slots_) SEIS_CHECK(cudaMallocHost(&s, bytes));
}

Acquisition::~Acquisition() {
    cudaStreamSynchronize(stream_);
    for (auto* s : slots_) cudaFreeHost(s);
    cudaFree(raw_);
    cudaFree(moved_);
    cudaStreamDestroy(stream_);
}

void CUDART_CB Acquisition::onReserve(void* user) {
    auto* t = static_cast<Ticket*>(user);
    t->writer->awaitSlot(t->view.index);
}

void CUDART_CB Acquisition::onReady(void* user) {
    auto* t = static_cast<Ticket*>(user);
    t->writer->publish(t->view);
}

void Acquisition::enqueue(int gather) {
    const int n = survey_.points();
    float* slot = slots_[gather % survey_.slots];
    tickets_.push_back(Ticket{&writer_, GatherView{gather, slot, n}});
    Ticket* ticket = &tickets_.back();

    const int grid = (n + 255) / 256;
    shoot<<<grid, 256, 0, stream_>>>(raw_, survey_.traces, survey_.samples, gather);
    SEIS_CHECK(cudaGetLastError());
    moveout<<<grid, 256, 0, stream_>>>(raw_, moved_, survey_.traces, survey_.samples);
    SEIS_CHECK(cudaGetLastError());
    SEIS_CHECK(cudaLaunchHostFunc(stream_, &Acquisition::onReserve, ticket));
    SEIS_CHECK(cudaMemcpyAsync(slot, moved_, n * sizeof(float), cudaMemcpyDeviceToHost, stream_));
    SEIS_CHECK(cudaLaunchHostFunc(stream_, &Acquisition::onReady, ticket));
}

void Acquisition::drain() { SEIS_CHECK(cudaStreamSynchronize(stream_)); }

}  // namespace seis
