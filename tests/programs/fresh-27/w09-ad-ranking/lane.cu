#include "lane.h"

namespace ads {
namespace {

__device__ unsigned long long wall_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void rank(const float* features, float* scores, int n, float scale,
                     unsigned long long cost_ns) {
    const unsigned long long begin = wall_ns();
    while (wall_ns() - begin < cost_ns) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        scores[i] = features[i] * scale + 1.f;
}

float* device_block(std::size_t count) {
    void* p = nullptr;
    expect(cudaMalloc(&p, count * sizeof(float)));
    return static_cast<float*>(p);
}

}  // namespace

RankingLane::RankingLane(const ServerConfig& config)
    : config_(config),
      device_features_(device_block(config.candidates)),
      device_scores_(device_block(config.candidates)),
      features_(make_staging(StagingKind::features, config.candidates)),
      scores_(make_staging(StagingKind::scores, config.candidates)) {
    expect(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

RankingLane::~RankingLane() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
    cudaFree(device_features_);
    cudaFree(device_scores_);
}

std::future<Scores> RankingLane::submit(const Request& request) {
    const std::size_t n = config_.candidates;
    for (std::size_t i = 0; i < n; ++i)
        features_[i] = static_cast<float>((request.user * 31 + static_cast<int>(i)) % 97);

    expect(cudaMemcpyAsync(device_features_, features_.get(), n * sizeof(float),
                           cudaMemcpyHostToDevice, stream_));
    rank<<<4, 128, 0, stream_>>>(device_features_, device_scores_, static_cast<int>(n),
                                 request.bid_scale, config_.model_time_ns);
    expect(cudaGetLastError());
    expect(cudaMemcpyAsync(scores_.get(), device_scores_, n * sizeof(float),
                           cudaMemcpyDeviceToHost, stream_));
    return std::async(std::launch::deferred, [this] { return collect(); });
}

Scores RankingLane::collect() {
    expect(cudaStreamSynchronize(stream_));
    return Scores(scores_.get(), scores_.get() + config_.candidates);
}

}  // namespace ads
