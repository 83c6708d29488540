// Two parts of a fast multipole evaluation: direct sums over neighbouring boxes
// and the translation of multipole moments of all the others.
#include "bench.h"

#include <cstdint>

namespace bench {
namespace {

constexpr int kBoxes = 4096;
constexpr int kTerms = 24;

__device__ void stretch(unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

__host__ __device__ inline uint32_t charge(int box) { return uint32_t(box) * 2654435761u + 7u; }

__host__ __device__ inline uint32_t direct(int box) {
    uint32_t sum = 0;
    for (int d = -1; d <= 1; ++d) sum += charge((box + d + kBoxes) % kBoxes) * uint32_t(3 - d);
    return sum;
}

__host__ __device__ inline uint32_t translate(int box) {
    uint32_t sum = 0;
    for (int t = 2; t < kTerms; ++t) sum ^= charge((box + t * t) % kBoxes) >> (t & 7);
    return sum;
}

__global__ void p2p(uint32_t* field) {
    const int box = blockIdx.x * blockDim.x + threadIdx.x;
    if (box < kBoxes) field[box] = direct(box);
    stretch(6000000ull);
}

__global__ void m2l(uint32_t* field) {
    const int box = blockIdx.x * blockDim.x + threadIdx.x;
    if (box < kBoxes) field[box] = translate(box);
    stretch(27000000ull);
}

struct Field {
    uint32_t* data = nullptr;
    Field() { require(cudaMalloc(&data, sizeof(uint32_t) * kBoxes)); }
    ~Field() { cudaFree(data); }
    Field(const Field&) = delete;

    template <class F> long compare(F want) const {
        std::vector<uint32_t> got(kBoxes);
        require(cudaMemcpy(got.data(), data, sizeof(uint32_t) * kBoxes, cudaMemcpyDeviceToHost));
        long wrong = 0;
        for (int b = 0; b < kBoxes; ++b) wrong += got[b] != want(b);
        return wrong;
    }
};

class NearOnly : public Case {
public:
    std::string name() const override { return "near"; }
    void enqueue(cudaStream_t stream) override {
        p2p<<<kBoxes / 256, 256, 0, stream>>>(near_.data);
        require(cudaGetLastError());
    }
    long errors() override { return near_.compare(direct); }

private:
    Field near_;
};

class Evaluation : public Case {
public:
    Evaluation() {
        require(cudaStreamCreateWithFlags(&far_stream_, cudaStreamNonBlocking));
        require(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    }
    ~Evaluation() override {
        cudaStreamSynchronize(far_stream_);
        cudaEventDestroy(fork_);
        cudaStreamDestroy(far_stream_);
    }
    std::string name() const override { return "evaluation"; }

    void enqueue(cudaStream_t stream) override {
        require(cudaEventRecord(fork_, stream));
        require(cudaStreamWaitEvent(far_stream_, fork_, 0));
        m2l<<<kBoxes / 256, 256, 0, far_stream_>>>(far_.data);
        p2p<<<kBoxes / 256, 256, 0, stream>>>(near_.data);
        require(cudaGetLastError());
    }
    long errors() override { return near_.compare(direct) + far_.compare(translate); }

private:
    Field near_, far_;
    cudaStream_t far_stream_ = nullptr;
    cudaEvent_t fork_ = nullptr;
};

}  // namespace

std::unique_ptr<Case> make_near_only() { return std::make_unique<NearOnly>(); }
std::unique_ptr<Case> make_evaluation() { return std::make_unique<Evaluation>(); }

}  // namespace bench
