#include "lane.h"

namespace video {
namespace {

constexpr int kThreads = 512;

__device__ void busy(double ms) {
    long long t0, t;
    const long long ns = static_cast<long long>(ms * 1e6);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__global__ void decode(const uint8_t* coded, int* luma, double ms) {
    for (int i = static_cast<int>(threadIdx.x); i < kLuma; i += kThreads) {
        luma[i] = luma_of(coded[i % kCoded], coded[(i * 7 + 1) % kCoded], i);
    }
    busy(ms);
}

__global__ void scale(const int* luma, int* thumb, double ms) {
    for (int i = static_cast<int>(threadIdx.x); i < kThumb; i += kThreads) {
        int sum = 0;
        for (int k = 0; k < 16; ++k) sum += luma[16 * i + k];
        thumb[i] = sum;
    }
    busy(ms);
}

}  // namespace

Lane::Lane(MemoryDomain& domain, Deliver deliver) : domain_(domain), deliver_(std::move(deliver)) {
    run(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    run(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming | cudaEventBlockingSync));
    run(cudaMallocHost(reinterpret_cast<void**>(&coded_), kCoded));
    run(cudaMallocHost(reinterpret_cast<void**>(&thumb_), kThumb * sizeof(int)));
}

Lane::~Lane() {
    cudaStreamSynchronize(stream_);
    cudaEventDestroy(done_);
    cudaFreeHost(coded_);
    cudaFreeHost(thumb_);
    cudaStreamDestroy(stream_);
}

void Lane::flush() {
    if (!in_flight_) return;
    run(cudaEventSynchronize(done_));
    deliver_(*in_flight_, thumb_);
    in_flight_.reset();
}

void Lane::take(int frame) {
    flush();
    for (int i = 0; i < kCoded; ++i) coded_[i] = coded_byte(frame, i);

    Plane<uint8_t> coded(domain_, kCoded, stream_);
    Plane<int> luma(domain_, kLuma, stream_);
    run(cudaMemcpyAsync(coded.get(), coded_, kCoded, cudaMemcpyHostToDevice, stream_));
    decode<<<1, kThreads, 0, stream_>>>(coded.get(), luma.get(), kDecodeMs);
    run(cudaGetLastError());

    Plane<int> thumb(domain_, kThumb, stream_);
    scale<<<1, kThreads, 0, stream_>>>(luma.get(), thumb.get(), kScaleMs);
    run(cudaGetLastError());
    run(cudaMemcpyAsync(thumb_, thumb.get(), kThumb * sizeof(int), cudaMemcpyDeviceToHost, stream_));
    run(cudaEventRecord(done_, stream_));
    in_flight_ = frame;
}

}  // namespace video
