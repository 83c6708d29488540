#include "uploader.cuh"

namespace ingest {

__global__ void brightness(const unsigned char* px, size_t n, unsigned* out, long long cycles) {
    const long long t0 = clock64();
    unsigned acc = 0;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) acc += px[i];
    atomicAdd(out, acc);
    while (clock64() - t0 < cycles) {
    }
}

Uploader::Uploader(SlotPool& pool, Channel<Job>& jobs, int frames, size_t pixels)
    : pool_(pool), jobs_(jobs), frames_(frames), pixels_(pixels) {
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ok(cudaMalloc(reinterpret_cast<void**>(&frame_), pixels));
    ok(cudaMalloc(reinterpret_cast<void**>(&sums_), frames * sizeof(unsigned)));
    ok(cudaMemsetAsync(sums_, 0, frames * sizeof(unsigned), stream_));
    worker_ = std::thread(&Uploader::loop, this);
}

Uploader::~Uploader() {
    if (worker_.joinable()) worker_.join();
    cudaFree(sums_);
    cudaFree(frame_);
    cudaStreamDestroy(stream_);
}

void Uploader::loop() {
    while (auto job = jobs_.take()) process(*job);
}

void Uploader::process(const Job& job) {
    ok(cudaMemcpyAsync(frame_, job.slot->data(), pixels_, cudaMemcpyHostToDevice, stream_));
    ok(cudaEventRecord(job.slot->copied(), stream_));
    brightness<<<1, 256, 0, stream_>>>(frame_, pixels_, sums_ + job.index, 60000000ll);
    ok(cudaGetLastError());
    pool_.release(job.slot);
}

std::vector<unsigned> Uploader::collect() {
    worker_.join();
    std::vector<unsigned> out(frames_);
    ok(cudaMemcpyAsync(out.data(), sums_, frames_ * sizeof(unsigned), cudaMemcpyDeviceToHost, stream_));
    ok(cudaStreamSynchronize(stream_));
    return out;
}

}  // namespace ingest
