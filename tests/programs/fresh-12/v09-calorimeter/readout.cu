// Replays a spill: hits arrive on the intake stream, towers are summed on the fit stream.
#include <array>
#include <vector>

#include "clusters.cuh"
#include "pool_array.h"

namespace cal {

constexpr size_t kBusiestEvent = size_t(6) << 20;  // hits that the front end can deliver at most

class Spill {
public:
    Spill(int events, int hits) : events_(events), hits_(hits) {
        CAL_DO(cudaMallocHost(&raw_, sizeof(Hit) * events * hits));
        uint32_t x = 99;
        for (int i = 0; i < events * hits; ++i) {
            x = x * 747796405u + 2891336453u;
            raw_[i] = Hit{x >> 12, (x >> 3) & 0x3ffu};
        }
    }
    ~Spill() { cudaFreeHost(raw_); }
    const Hit* event(int e) const { return raw_ + static_cast<size_t>(e) * hits_; }
    int events() const { return events_; }
    int hits() const { return hits_; }

    std::array<uint32_t, kTowers> towers(int e) const {
        std::array<uint32_t, kTowers> t{};
        for (int i = 0; i < hits_; ++i) t[event(e)[i].cell % kTowers] += calibrated(event(e)[i]);
        return t;
    }

private:
    int events_, hits_;
    Hit* raw_ = nullptr;
};

class Readout {
public:
    explicit Readout(int events) : arrived_(events) {
        CAL_DO(cudaStreamCreateWithFlags(&intake_, cudaStreamNonBlocking));
        CAL_DO(cudaStreamCreateWithFlags(&fit_, cudaStreamNonBlocking));
        for (auto& e : arrived_) CAL_DO(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
        CAL_DO(cudaMalloc(&towers_, sizeof(uint32_t) * kTowers * events));
        CAL_DO(cudaMemset(towers_, 0, sizeof(uint32_t) * kTowers * events));
        CAL_DO(cudaDeviceSynchronize());
    }
    ~Readout() {
        for (auto e : arrived_) cudaEventDestroy(e);
        cudaFree(towers_);
        cudaStreamDestroy(intake_);
        cudaStreamDestroy(fit_);
    }

    void take(const Spill& spill, int event) {
        const int n = spill.hits();
        auto hits = pool_array<Hit>(kBusiestEvent, intake_);
        CAL_DO(cudaMemcpyAsync(hits.get(), spill.event(event), sizeof(Hit) * n, cudaMemcpyHostToDevice, intake_));
        CAL_DO(cudaEventRecord(arrived_[event], intake_));

        CAL_DO(cudaStreamWaitEvent(fit_, arrived_[event], 0));
        sum_towers<<<1, 256, 0, fit_>>>(hits.get(), n, towers_ + event * kTowers, 40000000ull);
        CAL_DO(cudaGetLastError());
    }

    std::vector<uint32_t> collect() {
        std::vector<uint32_t> t(arrived_.size() * kTowers);
        CAL_DO(cudaStreamSynchronize(intake_));
        CAL_DO(cudaStreamSynchronize(fit_));
        CAL_DO(cudaMemcpy(t.data(), towers_, t.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        return t;
    }

private:
    cudaStream_t intake_ = nullptr, fit_ = nullptr;
    std::vector<cudaEvent_t> arrived_;
    uint32_t* towers_ = nullptr;
};

}  // namespace cal

int main() {
    CAL_DO(cudaSetDevice(0));
    cal::keep_pool_memory(0);

    cal::Spill spill(8, 20000);
    cal::Readout readout(spill.events());
    for (int e = 0; e < spill.events(); ++e) readout.take(spill, e);
    const std::vector<uint32_t> got = readout.collect();

    int wrong = 0;
    for (int e = 0; e < spill.events(); ++e) {
        const auto want = spill.towers(e);
        bool same = true;
        for (int t = 0; t < cal::kTowers; ++t) same = same && got[e * cal::kTowers + t] == want[t];
        wrong += !same;
    }
    std::fprintf(stderr, "%d events, %d differ from the offline sums\n", spill.events(), wrong);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
