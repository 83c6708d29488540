#include "recon.h"

namespace tomo {

namespace {

__global__ void filterSlice(const int* projection, int* image, int* peak, unsigned micros) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < micros * 1000ull);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int v = 2 * projection[i] - projection[(i + 1) % kPixels];
    image[i] = v;
    atomicMax(peak, v);
}

template <class T>
void reserve(T*& p, std::size_t n) {
    expect(cudaMalloc(reinterpret_cast<void**>(&p), n * sizeof(T)));
}

template <class T>
void reserveOnHost(T*& p, std::size_t n) {
    expect(cudaMallocHost(reinterpret_cast<void**>(&p), n * sizeof(T)));
}

}  // namespace

Reconstruction::Reconstruction(int slices, SliceSink sink) : slices_(slices), sink_(std::move(sink)) {
    expect(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    reserve(projection_, kPixels);
    reserve(image_, kPixels);
    reserve(peak_, 1);
    reserveOnHost(volume_, static_cast<std::size_t>(kPixels) * slices);
    reserveOnHost(peakOnHost_, 1);
    expect(cudaMemsetAsync(peak_, 0, sizeof(int), stream_));
}

Reconstruction::~Reconstruction() {
    cudaStreamDestroy(stream_);
    cudaFree(projection_);
    cudaFree(image_);
    cudaFree(peak_);
    cudaFreeHost(volume_);
    cudaFreeHost(peakOnHost_);
}

void CUDART_CB Reconstruction::delivered(void* arg) {
    const auto* d = static_cast<const Delivery*>(arg);
    Reconstruction& r = *d->owner;
    r.sink_(SliceImage{d->number, r.volume_ + static_cast<std::size_t>(kPixels) * d->number});
}

void Reconstruction::enqueue(int number, const int* projection) {
    int* target = volume_ + static_cast<std::size_t>(kPixels) * number;
    expect(cudaMemcpyAsync(projection_, projection, kPixels * sizeof(int), cudaMemcpyHostToDevice, stream_));
    filterSlice<<<kPixels / 256, 256, 0, stream_>>>(projection_, image_, peak_, 5000);
    expect(cudaGetLastError());
    expect(cudaMemcpyAsync(target, image_, kPixels * sizeof(int), cudaMemcpyDeviceToHost, stream_));
    deliveries_.push_back(std::make_unique<Delivery>(Delivery{this, number}));
    expect(cudaLaunchHostFunc(stream_, &Reconstruction::delivered, deliveries_.back().get()));
}

StudySummary Reconstruction::finish() {
    expect(cudaMemcpyAsync(peakOnHost_, peak_, sizeof(int), cudaMemcpyDeviceToHost, stream_));
    expect(cudaStreamSynchronize(stream_));
    return StudySummary{slices_, *peakOnHost_};
}

}  // namespace tomo
