#include "encoder.h"

namespace vid {

__host__ __device__ inline int bitsOf(int gop, int frame, int mb) {
    unsigned v = 2654435761u * unsigned(mb + 1) + 40503u * unsigned(frame) + 97u * unsigned(gop);
    return int(v >> 20);
}

int macroblockBits(int gop, int frame, int mb) { return bitsOf(gop, frame, mb); }

__device__ inline unsigned long long nowNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

__global__ void encodeFrame(int* bits, int n, int gop, int frame) {
    const unsigned long long end = nowNs() + 5000000ull;
    while (nowNs() < end) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        bits[i] = bitsOf(gop, frame, i);
}

Encoder::Encoder(const Config& cfg, BlockingQueue<Packet>& packets, BlockingQueue<Gop>& gops)
    : cfg_(cfg), packets_(packets), gops_(gops) {
    CU_OK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    CU_OK(cudaMalloc(&bits_, cfg.macroblocks * sizeof(int)));
    const size_t frames = size_t(cfg.gops) * cfg.framesPerGop;
    CU_OK(cudaMallocHost(&payload_, frames * cfg.macroblocks * sizeof(int)));
    events_.resize(cfg.gops);
    for (auto& e : events_) CU_OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming | cudaEventBlockingSync));
}

Encoder::~Encoder() {
    CU_OK(cudaStreamSynchronize(stream_));
    for (auto e : events_) CU_OK(cudaEventDestroy(e));
    CU_OK(cudaFreeHost(payload_));
    CU_OK(cudaFree(bits_));
    CU_OK(cudaStreamDestroy(stream_));
}

void CUDART_CB Encoder::deliver(void* p) {
    auto* d = static_cast<Delivery*>(p);
    d->out->push(d->packet);
}

void Encoder::encodeGop(int gop) {
    for (int f = 0; f < cfg_.framesPerGop; ++f) {
        int* slot = payload_ + (size_t(gop) * cfg_.framesPerGop + f) * cfg_.macroblocks;
        encodeFrame<<<4, 128, 0, stream_>>>(bits_, cfg_.macroblocks, gop, f);
        CU_OK(cudaGetLastError());
        CU_OK(cudaMemcpyAsync(slot, bits_, cfg_.macroblocks * sizeof(int), cudaMemcpyDeviceToHost, stream_));
        deliveries_.push_back(std::make_unique<Delivery>(Delivery{&packets_, {gop, f, slot}}));
        CU_OK(cudaLaunchHostFunc(stream_, &Encoder::deliver, deliveries_.back().get()));
    }
    CU_OK(cudaEventRecord(events_[gop], stream_));
    gops_.push({gop, events_[gop]});
}

}  // namespace vid
