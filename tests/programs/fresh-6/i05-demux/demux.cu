#include "ring.h"

#include <cstdio>
#include <numeric>

namespace {

constexpr std::size_t kWords = 1 << 16;
constexpr int kPackets = 12;

__global__ void decode(const std::uint32_t* packet, std::size_t n, std::uint32_t* checksum, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    std::uint32_t acc = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        acc += packet[i] ^ static_cast<std::uint32_t>(i);
    atomicAdd(checksum, acc);
}

int run() {
    auto stream_pkts = gpu::make_pinned<std::uint32_t>(kWords * kPackets);
    auto sums = gpu::make_pinned<std::uint32_t>(kPackets);
    std::vector<std::uint32_t> want(kPackets, 0);
    for (int p = 0; p < kPackets; ++p)
        for (std::size_t i = 0; i < kWords; ++i) {
            const auto v = static_cast<std::uint32_t>(i * 2654435761u + p * 40503u);
            stream_pkts[p * kWords + i] = v;
            want[p] += v ^ static_cast<std::uint32_t>(i);
        }

    auto feeder = gpu::make_stream();
    auto decoder = gpu::make_stream();
    gpu::Buffer<std::uint32_t> out(kPackets);
    gpu::ok(cudaMemsetAsync(out.data(), 0, out.bytes(), decoder.get()));

    PacketRing ring(3, kWords, feeder.get());
    for (int p = 0; p < kPackets; ++p) {
        ring.cycle(
            [&](auto& packet, cudaStream_t s) {
                gpu::ok(cudaMemcpyAsync(packet.data(), &stream_pkts[p * kWords], packet.bytes(),
                                        cudaMemcpyHostToDevice, s));
            },
            [&](auto& packet, cudaStream_t s) {
                decode<<<8, 256, 0, s>>>(packet.data(), kWords, out.data() + p, 25'000'000ull);
                gpu::ok(cudaGetLastError());
            },
            decoder.get());
    }
    gpu::ok(cudaMemcpyAsync(sums.get(), out.data(), out.bytes(), cudaMemcpyDeviceToHost, decoder.get()));
    gpu::ok(cudaStreamSynchronize(decoder.get()));
    gpu::ok(cudaStreamSynchronize(feeder.get()));

    int wrong = 0;
    for (int p = 0; p < kPackets; ++p) wrong += sums[p] != want[p];
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const gpu::Error& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
