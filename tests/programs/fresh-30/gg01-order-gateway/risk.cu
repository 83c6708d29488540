#include "engine.h"

namespace venue {
namespace {

__global__ void value_book(const Book* book, RiskReport* out, uint32_t symbols, unsigned long long stamp) {
    __shared__ long long net[kSymbols];
    __shared__ long long worst[kSymbols];
    const uint32_t i = threadIdx.x;
    if (symbols == 0) return;
    const long long e = i < symbols ? *reinterpret_cast<const volatile long long*>(&book->exposure[i]) : 0;
    net[i] = e;
    worst[i] = e < 0 ? -e : e;
    __syncthreads();
    for (uint32_t d = kSymbols / 2; d > 0; d /= 2) {
        if (i < d) {
            net[i] += net[i + d];
            worst[i] = worst[i] > worst[i + d] ? worst[i] : worst[i + d];
        }
        __syncthreads();
    }
    if (i == 0) {
        out->net = net[0];
        out->worst = worst[0];
        out->trades = *reinterpret_cast<const volatile unsigned long long*>(&book->trades);
        out->stamp = stamp;
    }
}

const bool value_book_listed = KernelTable::get().list("value_book", [](cudaStream_t s) {
    value_book<<<1, kSymbols, 0, s>>>(nullptr, nullptr, 0, 0);
});

}  // namespace

RiskDesk::RiskDesk(const Book* book) : book_(book) {
    ok(cudaMalloc(reinterpret_cast<void**>(&device_), sizeof(RiskReport)));
    ok(cudaMallocHost(reinterpret_cast<void**>(&host_), sizeof(RiskReport)));
    ok(cudaMemsetAsync(device_, 0, sizeof(RiskReport), stream_));
    ok(cudaMemcpyAsync(host_, device_, sizeof(RiskReport), cudaMemcpyDeviceToHost, stream_));
    ok(cudaStreamSynchronize(stream_));
}

RiskDesk::~RiskDesk() {
    cudaFree(device_);
    cudaFreeHost(host_);
}

RiskReport RiskDesk::look() {
    value_book<<<1, kSymbols, 0, stream_>>>(book_, device_, kSymbols, ++stamp_);
    ok(cudaGetLastError());
    ok(cudaMemcpyAsync(host_, device_, sizeof(RiskReport), cudaMemcpyDeviceToHost, stream_));
    ok(cudaStreamSynchronize(stream_));
    return *host_;
}

}  // namespace venue
