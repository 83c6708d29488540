#include "relay.h"
#include <algorithm>

namespace lidar {
namespace {

__device__ unsigned peek(const unsigned* p)
{
    return *reinterpret_cast<const volatile unsigned*>(p);
}

__device__ void post(unsigned* p, unsigned v)
{
    *reinterpret_cast<volatile unsigned*>(p) = v;
}

__global__ void scan_assembler(Ring* ring, unsigned packets, long long* scan)
{
    const int t = threadIdx.x;
    long long acc = 0;
    for (unsigned p = 0; p < packets; ++p) {
        if (t == 0) {
            while (peek(&ring->head) <= p) __nanosleep(200);
            __threadfence();
        }
        __syncthreads();
        const volatile int* slot = ring->slot[p % kRingSlots];
        acc += static_cast<long long>(slot[t]) * (p + 1);
        __syncthreads();
        if (t == 0) {
            __threadfence();
            post(&ring->tail, p + 1);
        }
    }
    if (packets) scan[t] = acc;
}

__global__ void packet_source(Ring* ring, unsigned packets, const int* feed)
{
    const int t = threadIdx.x;
    for (unsigned p = 0; p < packets; ++p) {
        if (t == 0) {
            while (p - peek(&ring->tail) >= kRingSlots) __nanosleep(200);
            __threadfence();
        }
        __syncthreads();
        volatile int* slot = ring->slot[p % kRingSlots];
        slot[t] = feed[p * kBeams + t];
        __threadfence();
        __syncthreads();
        if (t == 0) post(&ring->head, p + 1);
    }
}

}  // namespace

Relay::Relay(int max_packets)
    : max_packets_(max_packets),
      ring_(gpu::make_device<Ring>(1)),
      feed_(gpu::make_device<int>(static_cast<std::size_t>(max_packets) * kBeams)),
      scan_(gpu::make_device<long long>(kBeams)),
      staging_(gpu::make_pinned<int>(static_cast<std::size_t>(max_packets) * kBeams)),
      result_(gpu::make_pinned<long long>(kBeams)),
      progress_(gpu::make_pinned<unsigned>(1))
{
}

void Relay::warm()
{
    gpu::check(cudaMemsetAsync(ring_.get(), 0, sizeof(Ring), assembler_));
    scan_assembler<<<1, kBeams, 0, assembler_>>>(ring_.get(), 0, scan_.get());
    assembler_.wait();
    packet_source<<<1, kBeams, 0, source_>>>(ring_.get(), 0, feed_.get());
    source_.wait();
    gpu::check(cudaGetLastError());
}

std::vector<long long> Relay::assemble(const std::vector<int>& packets)
{
    const unsigned count = static_cast<unsigned>(
        std::min<std::size_t>(packets.size() / kBeams, max_packets_));
    std::copy_n(packets.begin(), static_cast<std::size_t>(count) * kBeams, staging_.get());

    gpu::check(cudaMemsetAsync(ring_.get(), 0, sizeof(Ring), assembler_));
    gpu::check(cudaEventRecord(cleared_, assembler_));
    scan_assembler<<<1, kBeams, 0, assembler_>>>(ring_.get(), count, scan_.get());
    gpu::check(cudaGetLastError());

    gpu::check(cudaStreamWaitEvent(telemetry_, cleared_, 0));
    gpu::check(cudaMemcpyAsync(progress_.get(), &ring_.get()->head, sizeof(unsigned),
                               cudaMemcpyDeviceToHost, telemetry_));
    telemetry_.wait();
    progress_at_open_ = progress_[0];

    gpu::check(cudaStreamWaitEvent(source_, cleared_, 0));
    gpu::check(cudaMemcpyAsync(feed_.get(), staging_.get(), count * kBeams * sizeof(int),
                               cudaMemcpyHostToDevice, source_));
    packet_source<<<1, kBeams, 0, source_>>>(ring_.get(), count, feed_.get());
    gpu::check(cudaGetLastError());

    gpu::check(cudaMemcpyAsync(result_.get(), scan_.get(), kBeams * sizeof(long long),
                               cudaMemcpyDeviceToHost, assembler_));
    assembler_.wait();
    source_.wait();
    return {result_.get(), result_.get() + kBeams};
}

}  // namespace lidar
