#include "scanner.h"

namespace ct {
namespace {

__device__ void integrate_for(long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (static_cast<long long>(t - t0) < ns);
}

__global__ void back_project(const uint16_t* projection, const uint16_t* dark, const uint16_t* gain,
                             unsigned long long* volume, int view) {
    const int v = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (v >= kVoxels) return;
    integrate_for(2000000);
    const int p = ray(view, v);
    volume[v] += corrected(projection[p], dark[p], gain[p]) * static_cast<unsigned>(1 + view % 3);
}

__global__ void add_volumes(unsigned long long* into, const unsigned long long* from) {
    const int v = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (v < kVoxels) into[v] += from[v];
}

constexpr int kThreads = 256;
constexpr int kBlocks = kVoxels / kThreads;

}  // namespace

Calibration::Calibration(cudaStream_t stream) {
    must(cudaMallocHost(reinterpret_cast<void**>(&staging_), kPixels * sizeof(uint16_t)));
    must(cudaEventCreateWithFlags(&moved_, cudaEventDisableTiming));
    for (int t = 0; t < 2; ++t) {
        must(cudaMalloc(reinterpret_cast<void**>(&table_[static_cast<size_t>(t)]), kPixels * sizeof(uint16_t)));
        must(cudaEventSynchronize(moved_));
        for (int i = 0; i < kPixels; ++i) staging_[i] = table_entry(t, i);
        must(cudaMemcpyAsync(table_[static_cast<size_t>(t)], staging_, kPixels * sizeof(uint16_t),
                             cudaMemcpyHostToDevice, stream));
        must(cudaEventRecord(moved_, stream));
    }
}

Calibration::~Calibration() {
    cudaEventSynchronize(moved_);
    cudaEventDestroy(moved_);
    cudaFreeHost(staging_);
    for (uint16_t* t : table_) cudaFree(t);
}

Reconstructor::Reconstructor() {
    for (Lane& l : lanes_) {
        must(cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking));
        must(cudaEventCreateWithFlags(&l.finished, cudaEventDisableTiming));
        must(cudaMalloc(reinterpret_cast<void**>(&l.projection), kPixels * sizeof(uint16_t)));
        must(cudaMalloc(reinterpret_cast<void**>(&l.volume), kVoxels * sizeof(unsigned long long)));
        must(cudaMemsetAsync(l.volume, 0, kVoxels * sizeof(unsigned long long), l.stream));
    }
    calibration_ = std::make_unique<Calibration>(lanes_[0].stream);
    must(cudaEventRecord(lanes_[0].finished, lanes_[0].stream));
    for (Lane& l : lanes_) must(cudaStreamWaitEvent(l.stream, lanes_[0].finished, 0));
}

Reconstructor::~Reconstructor() {
    for (Lane& l : lanes_) {
        if (l.stream) cudaStreamSynchronize(l.stream);
    }
    calibration_.reset();
    for (Lane& l : lanes_) {
        cudaFree(l.projection);
        cudaFree(l.volume);
        if (l.finished) cudaEventDestroy(l.finished);
        if (l.stream) cudaStreamDestroy(l.stream);
    }
}

void Reconstructor::add(Cassette& c) {
    Lane& l = lanes_[static_cast<size_t>(c.view % kLanes)];
    must(cudaMemcpyAsync(l.projection, c.pixels, kPixels * sizeof(uint16_t), cudaMemcpyHostToDevice, l.stream));
    must(cudaEventRecord(c.developed, l.stream));
    back_project<<<kBlocks, kThreads, 0, l.stream>>>(l.projection, calibration_->dark(), calibration_->gain(),
                                                     l.volume, c.view);
    must(cudaGetLastError());
}

std::vector<unsigned long long> Reconstructor::volume() {
    Lane& sum = lanes_[0];
    for (size_t i = 1; i < lanes_.size(); ++i) {
        Lane& l = lanes_[i];
        must(cudaEventRecord(l.finished, l.stream));
        must(cudaStreamWaitEvent(sum.stream, l.finished, 0));
        add_volumes<<<kBlocks, kThreads, 0, sum.stream>>>(sum.volume, l.volume);
        must(cudaGetLastError());
    }
    std::vector<unsigned long long> out(kVoxels);
    must(cudaMemcpyAsync(out.data(), sum.volume, kVoxels * sizeof(unsigned long long), cudaMemcpyDeviceToHost,
                         sum.stream));
    must(cudaStreamSynchronize(sum.stream));
    return out;
}

}  // namespace ct
