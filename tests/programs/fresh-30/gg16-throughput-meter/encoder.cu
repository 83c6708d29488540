#include <vector>

#include "encoder.h"

namespace meter {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocks = kBlock / kThreads;

__global__ void seed(unsigned* values) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = i;
}

__global__ void open_extent(Extent* e) {
    e->begin = ~0ull;
    e->end = 0;
}

__global__ void encode_stage(unsigned* values, Extent* extent, int id, int stage, long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = stage_value(values[i], id, stage);
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (static_cast<long long>(t - t0) < ns);
    if (threadIdx.x == 0) {
        atomicMin(&extent->begin, t0);
        atomicMax(&extent->end, t);
    }
}

}  // namespace

void Encoder::enqueue() {
    for (int s = 0; s < config_.stages; ++s) {
        encode_stage<<<kBlocks, kThreads, 0, stream_>>>(values_, extent_, config_.id, s,
                                                        static_cast<long long>(config_.stage_ms * 1e6));
    }
    METER_DO(cudaGetLastError());
}

Encoder::Encoder(const EncoderConfig& config) : config_(config) {
    METER_DO(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    METER_DO(cudaMalloc(reinterpret_cast<void**>(&values_), kBlock * sizeof(unsigned)));
    METER_DO(cudaMalloc(reinterpret_cast<void**>(&extent_), sizeof(Extent)));
    restart();
    enqueue();
    METER_DO(cudaStreamSynchronize(stream_));

    cudaGraph_t graph = nullptr;
    METER_DO(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed));
    enqueue();
    METER_DO(cudaStreamEndCapture(stream_, &graph));
    METER_DO(cudaGraphInstantiate(&exec_, graph, 0));
    METER_DO(cudaGraphDestroy(graph));
    METER_DO(cudaGraphUpload(exec_, stream_));
    encode(1);
    restart();
}

Encoder::~Encoder() {
    cudaStreamSynchronize(stream_);
    cudaGraphExecDestroy(exec_);
    cudaFree(values_);
    cudaFree(extent_);
    cudaStreamDestroy(stream_);
}

void Encoder::restart() {
    seed<<<kBlocks, kThreads, 0, stream_>>>(values_);
    open_extent<<<1, 1, 0, stream_>>>(extent_);
    METER_DO(cudaGetLastError());
    METER_DO(cudaStreamSynchronize(stream_));
    packets_ = 0;
}

void Encoder::encode(int packets) {
    for (int p = 0; p < packets; ++p) METER_DO(cudaGraphLaunch(exec_, stream_));
    packets_ += packets;
}

Extent Encoder::extent() const {
    Extent e;
    METER_DO(cudaMemcpyAsync(&e, extent_, sizeof e, cudaMemcpyDeviceToHost, stream_));
    METER_DO(cudaStreamSynchronize(stream_));
    return e;
}

long Encoder::check() const {
    std::vector<unsigned> got(kBlock);
    METER_DO(cudaMemcpyAsync(got.data(), values_, kBlock * sizeof(unsigned), cudaMemcpyDeviceToHost, stream_));
    METER_DO(cudaStreamSynchronize(stream_));
    long bad = 0;
    for (unsigned i = 0; i < kBlock; ++i) {
        unsigned v = i;
        for (int p = 0; p < packets_; ++p) {
            for (int s = 0; s < config_.stages; ++s) v = stage_value(v, config_.id, s);
        }
        bad += got[i] != v;
    }
    return bad;
}

}  // namespace meter
