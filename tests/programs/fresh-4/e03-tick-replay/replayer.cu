#include "replayer.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace replay {
namespace {

#define RP_CUDA(expr)                                             \
    do {                                                          \
        cudaError_t rc_ = (expr);                                 \
        if (rc_ != cudaSuccess) {                                 \
            std::printf("ERROR %s\n", cudaGetErrorName(rc_));     \
            std::fflush(stdout);                                  \
            std::_Exit(1);                                        \
        }                                                         \
    } while (0)

__global__ void build_bar(const Tick* ticks, int n, Bar* out)
{
    long long turnover = 0, volume = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        turnover += static_cast<long long>(ticks[i].price) * ticks[i].quantity;
        volume += ticks[i].quantity;
    }
    atomicAdd(reinterpret_cast<unsigned long long*>(&out->turnover),
              static_cast<unsigned long long>(turnover));
    atomicAdd(reinterpret_cast<unsigned long long*>(&out->volume),
              static_cast<unsigned long long>(volume));
}

}  // namespace

Replayer::Session::Session(Replayer* replayer, int ordinal, std::size_t ticks)
    : owner(replayer), index(ordinal)
{
    RP_CUDA(cudaMallocHost(reinterpret_cast<void**>(&host_ticks), ticks * sizeof(Tick)));
    RP_CUDA(cudaMallocHost(reinterpret_cast<void**>(&host_bar), sizeof(Bar)));
    RP_CUDA(cudaMalloc(reinterpret_cast<void**>(&device_ticks), ticks * sizeof(Tick)));
    RP_CUDA(cudaMalloc(reinterpret_cast<void**>(&device_bar), sizeof(Bar)));
}

Replayer::Session::~Session()
{
    cudaFree(device_bar);
    cudaFree(device_ticks);
    cudaFreeHost(host_bar);
    cudaFreeHost(host_ticks);
}

Replayer::Replayer(ReplayOptions options) : options_(options), events_(options.event_backlog)
{
    RP_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (int i = 0; i < options_.max_sessions; ++i)
        sessions_.push_back(std::make_unique<Session>(this, i, options_.ticks_per_session));
}

Replayer::~Replayer()
{
    cudaStreamSynchronize(stream_);
    sessions_.clear();
    cudaStreamDestroy(stream_);
}

void CUDART_CB Replayer::on_bar(void* opaque)
{
    auto* session = static_cast<Session*>(opaque);
    session->owner->events_.push({session->index, *session->host_bar});
}

void Replayer::submit(const std::vector<Tick>& ticks)
{
    Session& s = *sessions_.at(submitted_++);
    const std::size_t bytes = ticks.size() * sizeof(Tick);
    std::copy(ticks.begin(), ticks.end(), s.host_ticks);

    RP_CUDA(cudaMemcpyAsync(s.device_ticks, s.host_ticks, bytes, cudaMemcpyHostToDevice, stream_));
    RP_CUDA(cudaMemsetAsync(s.device_bar, 0, sizeof(Bar), stream_));
    build_bar<<<64, 256, 0, stream_>>>(s.device_ticks, static_cast<int>(ticks.size()), s.device_bar);
    RP_CUDA(cudaGetLastError());
    RP_CUDA(cudaMemcpyAsync(s.host_bar, s.device_bar, sizeof(Bar), cudaMemcpyDeviceToHost, stream_));
    RP_CUDA(cudaLaunchHostFunc(stream_, &Replayer::on_bar, &s));
}

std::vector<BarEvent> Replayer::finish()
{
    RP_CUDA(cudaStreamSynchronize(stream_));
    std::vector<BarEvent> bars;
    bars.reserve(submitted_);
    while (bars.size() < submitted_) bars.push_back(events_.pop());
    return bars;
}

}  // namespace replay
