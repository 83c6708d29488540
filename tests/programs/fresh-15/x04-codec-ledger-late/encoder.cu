#include "encoder.h"

namespace {

__device__ int bitsOf(int level) {
    int n = 0;
    for (int v = level < 0 ? -level : level; v; v >>= 1) ++n;
    return 1 + 2 * n;
}

__global__ void codeSlice(const short* samples, int n, int q, long long ticks, unsigned* coded) {
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    unsigned mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += bitsOf(samples[i] / q);
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t1));
    } while (static_cast<long long>(t1 - t0) < ticks);
    atomicAdd(coded, mine);
}

}  // namespace

Encoder::~Encoder() {
    for (auto s : lanes_)
        if (s) cudaStreamDestroy(s);
    cudaFree(devSamples_);
    cudaFree(devCoded_);
    cudaFreeHost(hostCoded_);
}

cudaError_t Encoder::open() {
    const size_t n = static_cast<size_t>(cfg_.slicesPerGop);
    for (auto& s : lanes_) CODEC_TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CODEC_TRY(cudaMalloc(&devSamples_, n * cfg_.sliceSamples * sizeof(short)));
    CODEC_TRY(cudaMalloc(&devCoded_, n * sizeof(unsigned)));
    CODEC_TRY(cudaMallocHost(&hostCoded_, n * sizeof(unsigned)));
    return cudaSuccess;
}

cudaError_t Encoder::submit(int slice, const short* samples) {
    cudaStream_t lane = lanes_[slice % kLanes];
    const int at = slice % cfg_.slicesPerGop;
    short* dst = devSamples_ + static_cast<size_t>(at) * cfg_.sliceSamples;
    CODEC_TRY(cudaMemcpyAsync(dst, samples, cfg_.sliceSamples * sizeof(short), cudaMemcpyHostToDevice, lane));
    CODEC_TRY(cudaMemsetAsync(devCoded_ + at, 0, sizeof(unsigned), lane));
    codeSlice<<<1, 256, 0, lane>>>(dst, cfg_.sliceSamples, cfg_.quantiser, cfg_.transformTicks, devCoded_ + at);
    CODEC_TRY(cudaGetLastError());
    CODEC_TRY(cudaMemcpyAsync(hostCoded_ + at, devCoded_ + at, sizeof(unsigned), cudaMemcpyDeviceToHost, lane));
    tickets_.push_back(std::make_unique<Ticket>(Ticket{this, slice, hostCoded_ + at}));
    return cudaLaunchHostFunc(lane, &Encoder::sliceDone, tickets_.back().get());
}

void CUDART_CB Encoder::sliceDone(void* opaque) {
    auto* t = static_cast<Ticket*>(opaque);
    t->owner->ledger_.post(t->slice, static_cast<long>(*t->coded));
}

cudaError_t Encoder::drain() {
    for (auto s : lanes_) CODEC_TRY(cudaStreamSynchronize(s));
    tickets_.clear();
    return cudaSuccess;
}
