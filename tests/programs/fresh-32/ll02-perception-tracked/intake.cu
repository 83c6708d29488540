#include <cstdint>
#include <deque>
#include <variant>
#include <vector>

#include "slots.h"
#include "status.h"

namespace percept {

constexpr std::size_t kWords = 1u << 18;
constexpr int kMessages = 16;

struct LidarSweep {
    int seq;
    std::uint32_t intensity;
};

struct CameraFrame {
    int seq;
    std::uint32_t exposure;
    std::uint32_t gain;
};

using Message = std::variant<LidarSweep, CameraFrame>;

template <class... Fs>
struct Overload : Fs... {
    using Fs::operator()...;
};
template <class... Fs>
Overload(Fs...) -> Overload<Fs...>;

__device__ unsigned long long now_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Sums the payload after the (simulated) undistortion has taken its time.
__global__ void digest(const std::uint32_t* payload, std::size_t n, unsigned long long* out,
                       unsigned long long busy_ns) {
    const unsigned long long t0 = now_ns();
    while (now_ns() - t0 < busy_ns) {
    }
    unsigned long long acc = 0;
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        acc += payload[i];
    atomicAdd(out, acc);
}

class Intake {
public:
    Intake() : pool_(4, kWords) {
        must(cudaStreamCreateWithFlags(&lidar_, cudaStreamNonBlocking));
        must(cudaStreamCreateWithFlags(&camera_, cudaStreamNonBlocking));
        must(cudaMalloc(&lidar_dev_, kWords * sizeof(std::uint32_t)));
        must(cudaMalloc(&camera_dev_, kWords * sizeof(std::uint32_t)));
        must(cudaMalloc(&digests_, kMessages * sizeof(unsigned long long)));
        must(cudaMemset(digests_, 0, kMessages * sizeof(unsigned long long)));
        must(cudaDeviceSynchronize());
    }
    Intake(const Intake&) = delete;
    ~Intake() {
        drain();
        cudaFree(digests_);
        cudaFree(camera_dev_);
        cudaFree(lidar_dev_);
        cudaStreamDestroy(camera_);
        cudaStreamDestroy(lidar_);
    }

    void submit(const Message& m) {
        std::visit(Overload{[this](const LidarSweep& s) { on_lidar(s); },
                            [this](const CameraFrame& f) { on_camera(f); }},
                   m);
    }

    std::vector<unsigned long long> finish() {
        must(cudaStreamSynchronize(lidar_));
        must(cudaStreamSynchronize(camera_));
        drain();
        std::vector<unsigned long long> host(kMessages);
        must(cudaMemcpy(host.data(), digests_, kMessages * sizeof(unsigned long long),
                        cudaMemcpyDeviceToHost));
        return host;
    }

private:
    struct InFlight {
        Lease lease;
        cudaEvent_t uploaded;
    };

    Lease acquire() {
        for (;;) {
            if (Lease l = pool_.try_acquire()) return l;
            retire_oldest();
        }
    }

    void retire_oldest() {
        InFlight f = std::move(in_flight_.front());
        in_flight_.pop_front();
        must(cudaEventSynchronize(f.uploaded));
        must(cudaEventDestroy(f.uploaded));
    }

    void drain() {
        while (!in_flight_.empty()) retire_oldest();
    }

    void track(Lease&& lease, cudaStream_t s) {
        cudaEvent_t e;
        must(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
        must(cudaEventRecord(e, s));
        in_flight_.push_back(InFlight{std::move(lease), e});
    }

    void on_lidar(const LidarSweep& s) {
        Lease lease = acquire();
        for (std::size_t i = 0; i < lease->words; ++i) lease->host[i] = s.intensity;
        must(cudaMemcpyAsync(lidar_dev_, lease->host, lease->words * sizeof(std::uint32_t),
                             cudaMemcpyHostToDevice, lidar_));
        track(std::move(lease), lidar_);
        digest<<<16, 256, 0, lidar_>>>(lidar_dev_, kWords, digests_ + s.seq, 30'000'000ull);
        must(cudaGetLastError());
    }

    void on_camera(const CameraFrame& f) {
        Lease lease = acquire();
        const std::uint32_t level = f.exposure * f.gain;
        for (std::size_t i = 0; i < lease->words; ++i) lease->host[i] = level;
        must(cudaMemcpyAsync(camera_dev_, lease->host, lease->words * sizeof(std::uint32_t),
                             cudaMemcpyHostToDevice, camera_));
        track(std::move(lease), camera_);
        digest<<<16, 256, 0, camera_>>>(camera_dev_, kWords, digests_ + f.seq, 40'000'000ull);
        must(cudaGetLastError());
    }

    SlotPool pool_;
    std::deque<InFlight> in_flight_;
    cudaStream_t lidar_{};
    cudaStream_t camera_{};
    std::uint32_t* lidar_dev_ = nullptr;
    std::uint32_t* camera_dev_ = nullptr;
    unsigned long long* digests_ = nullptr;
};

}  // namespace percept

int main() {
    using namespace percept;
    std::vector<unsigned long long> want(kMessages);
    std::vector<unsigned long long> got;
    {
        Intake intake;
        for (int seq = 0; seq < kMessages; ++seq) {
            if (seq % 2 == 0) {
                intake.submit(CameraFrame{seq, std::uint32_t(seq + 3), 5u});
                want[seq] = (unsigned long long)kWords * (seq + 3) * 5u;
            } else {
                intake.submit(LidarSweep{seq, std::uint32_t(seq * 7 + 1)});
                want[seq] = (unsigned long long)kWords * (seq * 7 + 1);
            }
        }
        got = intake.finish();
    }
    int bad = 0;
    for (int i = 0; i < kMessages; ++i) bad += got[i] != want[i];
    if (bad) {
        std::printf("WRONG %d\n", bad);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
