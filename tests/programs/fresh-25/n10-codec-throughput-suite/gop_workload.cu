#include "suite.h"
#include <algorithm>

namespace suite {

namespace {

constexpr int kPixels = 8192;

enum class FrameType { Intra, Predicted, Bidirectional };

__device__ unsigned long long nanos() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void codeFrame(int* frame, int index, int pixels, unsigned long long ns) {
    unsigned long long end = nanos() + ns;
    while (nanos() < end) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
        frame[i] = index * 64 + i % 64;
    }
}

class GopWorkload final : public Workload {
public:
    explicit GopWorkload(const BenchConfig& config)
        : slots_(std::max(config.warmupGops, config.measuredGops)), streams_(3) {
        for (cudaStream_t& s : streams_) {
            verifyCall(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
        }
        void* p = nullptr;
        verifyCall(cudaMalloc(&p, frames() * kPixels * sizeof(int)));
        store_ = static_cast<int*>(p);
    }
    ~GopWorkload() override {
        cudaFree(store_);
        for (cudaStream_t s : streams_) cudaStreamDestroy(s);
    }

    void enqueueGop(int gop) override {
        for (int f = 0; f < framesPerGop(); ++f) {
            int index = gop * framesPerGop() + f;
            cudaStream_t stream = streams_[static_cast<int>(typeOf(f))];
            codeFrame<<<8, 128, 0, stream>>>(store_ + static_cast<std::size_t>(index) * kPixels,
                                             index, kPixels, 10'000'000ull);
            verifyCall(cudaGetLastError());
        }
    }

    const std::vector<cudaStream_t>& streams() const override { return streams_; }
    int framesPerGop() const override { return 12; }

    long validate(int gops) const override {
        std::vector<int> host(static_cast<std::size_t>(gops) * framesPerGop() * kPixels);
        verifyCall(cudaMemcpy(host.data(), store_, host.size() * sizeof(int),
                              cudaMemcpyDeviceToHost));
        long wrong = 0;
        for (std::size_t k = 0; k < host.size(); ++k) {
            int index = static_cast<int>(k / kPixels), i = static_cast<int>(k % kPixels);
            if (host[k] != index * 64 + i % 64) ++wrong;
        }
        return wrong;
    }

private:
    static FrameType typeOf(int position) {
        if (position == 0) return FrameType::Intra;
        return position % 3 == 0 ? FrameType::Predicted : FrameType::Bidirectional;
    }
    std::size_t frames() const { return static_cast<std::size_t>(slots_) * framesPerGop(); }

    int slots_;
    std::vector<cudaStream_t> streams_;
    int* store_ = nullptr;
};

}  // namespace

void registerGopWorkloads(Registry& registry) {
    registry.add("gop12", [](const BenchConfig& config) -> std::unique_ptr<Workload> {
        return std::make_unique<GopWorkload>(config);
    });
}

}  // namespace suite
