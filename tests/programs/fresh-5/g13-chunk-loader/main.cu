// Well-log normalisation: a long recording is cut into chunks and calibrated on the device.
#include <chrono>
#include <cstdio>

#include "chunk_loader.cuh"

namespace {

struct Calibrate {
    float gain, offset;
    unsigned cost_us;

    __device__ void prepare() const {
        unsigned long long t, end;
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
        end = t + 1000ull * cost_us;
        while (t < end) {
            __nanosleep(500);
            asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
        }
    }
    __device__ float operator()(float x) const { return x * gain + offset; }
};

using Clock = std::chrono::steady_clock;

double ms(Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

}  // namespace

int main() {
    constexpr std::size_t kChunk = 256 * 1024;
    constexpr std::size_t kLanes = 4, kChunks = 16;
    const Calibrate fn{2.f, 3.f, 20000};
    try {
        std::vector<loader::Chunk> chunks;
        chunks.reserve(kChunks);
        for (std::size_t k = 0; k < kChunks; ++k) {
            chunks.emplace_back(kChunk);
            for (std::size_t i = 0; i < kChunk; ++i) chunks[k].in[i] = float((i + k * 19) % 1021);
        }
        std::vector<loader::Chunk> probe;
        probe.emplace_back(kChunk);

        loader::ChunkLoader<kLanes> loader(kChunk);
        loader.process(probe, fn);
        auto start = Clock::now();
        loader.process(probe, fn);
        const double single = ms(Clock::now() - start);

        start = Clock::now();
        loader.process(chunks, fn);
        const double total = ms(Clock::now() - start);

        int wrong = loader.processed() == kChunks + 2 ? 0 : 1;
        for (std::size_t k = 0; k < kChunks; ++k)
            for (std::size_t i = 0; i < kChunk; ++i)
                if (chunks[k].out[i] != float((i + k * 19) % 1021) * 2.f + 3.f) ++wrong;

        const double ideal = single * double(kChunks / kLanes);
        std::printf("one chunk %.1f ms, %zu chunks %.1f ms\n", single, kChunks, total);
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else if (total > 1.5 * ideal)
            std::printf("SLOW %.2f\n", total / ideal);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const loader::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
