#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "radar.cuh"

namespace radar {

enum class Phase { closed, armed, running, complete };

struct PinnedDelete {
    void operator()(void* p) const noexcept { cudaFreeHost(p); }
};

template <class T>
std::unique_ptr<T, PinnedDelete> pinned(std::size_t n, unsigned flags) {
    void* p = nullptr;
    RADAR_TRY(cudaHostAlloc(&p, n * sizeof(T), flags));
    return std::unique_ptr<T, PinnedDelete>(static_cast<T*>(p));
}

class Dwell {
public:
    explicit Dwell(unsigned pulses)
        : pulses_(pulses),
          staging_(pinned<float>(2 * kGates, cudaHostAllocDefault)),
          detections_(pinned<Detections>(1, cudaHostAllocMapped)) {
        RADAR_TRY(cudaStreamCreateWithFlags(&front_, cudaStreamNonBlocking));
        RADAR_TRY(cudaStreamCreateWithFlags(&back_, cudaStreamNonBlocking));
        RADAR_TRY(cudaMalloc(&echo_, 2 * kGates * sizeof(float)));
        RADAR_TRY(cudaMalloc(&profile_, kGates * sizeof(float)));
        RADAR_TRY(cudaMalloc(&shared_, sizeof(Shared)));
        RADAR_TRY(cudaMemset(shared_, 0, sizeof(Shared)));
        for (auto& e : uploaded_) RADAR_TRY(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
        detections_->seen = 0;

        range_profile<<<1, 256, 0, front_>>>(nullptr, profile_, shared_);
        RADAR_TRY(cudaGetLastError());
        RADAR_TRY(cudaMemcpyAsync(echo_, staging_.get(), sizeof(float), cudaMemcpyHostToDevice, front_));
        RADAR_TRY(cudaDeviceSynchronize());
        phase_ = Phase::armed;
    }
    Dwell(const Dwell&) = delete;
    ~Dwell() {
        for (auto e : uploaded_) cudaEventDestroy(e);
        cudaFree(shared_);
        cudaFree(profile_);
        cudaFree(echo_);
        cudaStreamDestroy(back_);
        cudaStreamDestroy(front_);
    }

    void start() {
        if (std::exchange(phase_, Phase::running) != Phase::armed) std::abort();
        cfar_monitor<<<1, 256, 0, back_>>>(profile_, shared_, detections_.get(), pulses_);
        RADAR_TRY(cudaGetLastError());
    }

    template <class Generator>
    void pulse(unsigned k, Generator&& gen) {
        const unsigned half = k & 1u;
        float* host = staging_.get() + half * kGates;
        float* dev = echo_ + half * kGates;
        if (k >= 2) RADAR_TRY(cudaEventSynchronize(uploaded_[half]));
        for (int g = 0; g < kGates; ++g) host[g] = gen(g);
        RADAR_TRY(cudaMemcpyAsync(dev, host, kGates * sizeof(float), cudaMemcpyHostToDevice, front_));
        RADAR_TRY(cudaEventRecord(uploaded_[half], front_));
        range_profile<<<1, 256, 0, front_>>>(dev, profile_, shared_);
        RADAR_TRY(cudaGetLastError());
    }

    std::vector<unsigned> finish() {
        while (detections_->seen != pulses_) std::this_thread::yield();
        std::atomic_thread_fence(std::memory_order_acquire);
        std::vector<unsigned> peaks(pulses_);
        for (unsigned k = 0; k < pulses_; ++k) peaks[k] = detections_->peak_gate[k];
        RADAR_TRY(cudaStreamSynchronize(back_));
        RADAR_TRY(cudaStreamSynchronize(front_));
        phase_ = Phase::complete;
        return peaks;
    }

private:
    unsigned pulses_;
    Phase phase_ = Phase::closed;
    std::unique_ptr<float, PinnedDelete> staging_;
    std::unique_ptr<Detections, PinnedDelete> detections_;
    cudaStream_t front_{}, back_{};
    cudaEvent_t uploaded_[2]{};
    float* echo_ = nullptr;
    float* profile_ = nullptr;
    Shared* shared_ = nullptr;
};

}  // namespace radar

int main() {
    constexpr unsigned kPulses = 48;
    std::vector<unsigned> peaks;
    {
        radar::Dwell dwell(kPulses);
        dwell.start();
        for (unsigned k = 0; k < kPulses; ++k) {
            const int target = int(100 + 37 * k);
            dwell.pulse(k, [&](int g) { return g == target ? 4000.0f : float((g + k) % 16); });
        }
        peaks = dwell.finish();
    }
    int bad = 0;
    for (unsigned k = 0; k < kPulses; ++k) bad += peaks[k] != 100 + 37 * k;
    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return bad != 0;
}
