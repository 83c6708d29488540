#include "candidate.h"

namespace {

constexpr unsigned long long kChannelNanos = 10ull * 1000 * 1000;

__global__ void channelize(const float* signal, float* out, int n, float phase) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < kChannelNanos);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = signal[i] + phase;
}

void launch(const Workload& w, int channel, cudaStream_t stream) {
    channelize<<<(w.channelLength + 255) / 256, 256, 0, stream>>>(
        w.signal, w.channels + static_cast<size_t>(channel) * w.channelLength, w.channelLength,
        static_cast<float>(channel));
    sdr(cudaGetLastError());
}

class Sequential final : public Candidate {
public:
    std::string name() const override { return "sequential"; }
    double expectedMs(const Workload& w) const override { return w.channelCount * kChannelNanos * 1e-6; }
    void run(const Workload& w, cudaStream_t stream) override {
        for (int c = 0; c < w.channelCount; ++c) launch(w, c, stream);
    }
};

class Fanned final : public Candidate {
public:
    explicit Fanned(int width) : lanes_(width) {
        sdr(cudaEventCreateWithFlags(&entry_, cudaEventDisableTiming));
        for (Lane& lane : lanes_) {
            sdr(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
            sdr(cudaEventCreateWithFlags(&lane.exit, cudaEventDisableTiming));
        }
    }
    ~Fanned() override {
        for (Lane& lane : lanes_) {
            cudaEventDestroy(lane.exit);
            cudaStreamDestroy(lane.stream);
        }
        cudaEventDestroy(entry_);
    }
    std::string name() const override { return "fanned-" + std::to_string(lanes_.size()); }
    double expectedMs(const Workload& w) const override {
        const int width = static_cast<int>(lanes_.size());
        return (w.channelCount + width - 1) / width * (kChannelNanos * 1e-6);
    }
    void run(const Workload& w, cudaStream_t stream) override {
        sdr(cudaEventRecord(entry_, stream));
        for (Lane& lane : lanes_) sdr(cudaStreamWaitEvent(lane.stream, entry_, 0));
        for (int c = 0; c < w.channelCount; ++c) launch(w, c, lanes_[c % lanes_.size()].stream);
        for (Lane& lane : lanes_) {
            sdr(cudaEventRecord(lane.exit, lane.stream));
            sdr(cudaStreamWaitEvent(stream, lane.exit, 0));
        }
    }

private:
    struct Lane {
        cudaStream_t stream = nullptr;
        cudaEvent_t exit = nullptr;
    };
    cudaEvent_t entry_ = nullptr;
    std::vector<Lane> lanes_;
};

}  // namespace

std::vector<std::unique_ptr<Candidate>> makeCandidates() {
    std::vector<std::unique_ptr<Candidate>> all;
    all.push_back(std::make_unique<Sequential>());
    all.push_back(std::make_unique<Fanned>(2));
    all.push_back(std::make_unique<Fanned>(4));
    return all;
}
