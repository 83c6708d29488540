#include "lane.h"
#include <utility>

namespace radio {

__host__ __device__ inline bool isFlagged(int band, int tick, int station) {
    return ((station * 31 + band * 17 + tick * 7) % 11) == 0;
}

__global__ void correlate(Counters* c, int band, int tick, int stations, int us) {
    unsigned long long first, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(first));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    while (t - first < 1000ull * us);
    for (int s = blockIdx.x * blockDim.x + threadIdx.x; s < stations; s += gridDim.x * blockDim.x) {
        atomicAdd(&c->samples, 1u);
        if (isFlagged(band, tick, s)) atomicAdd(&c->flagged, 1u);
    }
}

static cudaStream_t openStream(const LaneConfig& cfg) {
    int least = 0, greatest = 0;
    RADIO_TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t s = nullptr;
    RADIO_TRY(cudaStreamCreateWithPriority(&s, cudaStreamDefault, cfg.urgent ? greatest : least));
    return s;
}

Lane::Lane(int band, const LaneConfig& cfg) : band_(band), cfg_(cfg), stream_(openStream(cfg)) {
    RADIO_TRY(cudaMalloc(&device_, sizeof(Counters)));
    RADIO_TRY(cudaMallocHost(&host_, sizeof(Counters)));
}

Lane::Lane(Lane&& o) noexcept
    : phase_(o.phase_),
      band_(o.band_),
      cfg_(o.cfg_),
      stream_(std::exchange(o.stream_, nullptr)),
      device_(std::exchange(o.device_, nullptr)),
      host_(std::exchange(o.host_, nullptr)) {}

Lane::~Lane() {
    if (!stream_) return;
    cudaStreamSynchronize(stream_);
    cudaFreeHost(host_);
    cudaFree(device_);
    cudaStreamDestroy(stream_);
}

void Lane::beginIntegration() {
    if (phase_ == Phase::Open) return;
    RADIO_TRY(cudaMemsetAsync(device_, 0, sizeof(Counters)));
    phase_ = Phase::Open;
}

void Lane::integrate(int tick) {
    beginIntegration();
    correlate<<<2, 256, 0, stream_>>>(device_, band_, tick, cfg_.stations, cfg_.integrationUs);
    RADIO_TRY(cudaGetLastError());
    RADIO_TRY(cudaMemcpyAsync(host_, device_, sizeof(Counters), cudaMemcpyDeviceToHost, stream_));
    phase_ = Phase::Idle;
}

Counters Lane::finish() {
    RADIO_TRY(cudaStreamSynchronize(stream_));
    return *host_;
}

Counters Lane::expected(int band, const LaneConfig& cfg, int tick) {
    Counters c{unsigned(cfg.stations), 0};
    for (int s = 0; s < cfg.stations; ++s) c.flagged += isFlagged(band, tick, s);
    return c;
}

}  // namespace radio
