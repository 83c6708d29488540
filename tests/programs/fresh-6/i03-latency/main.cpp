// Latency and throughput report of the transcoding service in steady state.
#include "request.h"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <vector>

namespace {

constexpr int kPixels = 1 << 14;
constexpr int kRequests = 12;
constexpr unsigned long long kServiceNs = 12'000'000;

class Service {
public:
    explicit Service(int slots) : host_(pinned<int>(std::size_t(slots) * kPixels)), stamps_(pinned<Stamp>(slots)) {
        require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        require(cudaMalloc(&dev_, std::size_t(slots) * kPixels * sizeof(int)));
        require(cudaMalloc(&dev_stamps_, slots * sizeof(Stamp)));
    }
    ~Service() {
        cudaStreamSynchronize(stream_);
        cudaFree(dev_stamps_);
        cudaFree(dev_);
        cudaStreamDestroy(stream_);
    }
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    std::future<Clock::time_point> submit(Request& r) {
        auto done = r.finished.get_future();
        const std::size_t off = std::size_t(r.id) * kPixels;
        r.submitted = Clock::now();
        launch_transcode(dev_ + off, kPixels, r.id, dev_stamps_ + r.id, kServiceNs, stream_);
        require(cudaMemcpyAsync(host_.get() + off, dev_ + off, kPixels * sizeof(int), cudaMemcpyDeviceToHost,
                                stream_));
        require(cudaMemcpyAsync(&stamps_[r.id], dev_stamps_ + r.id, sizeof(Stamp), cudaMemcpyDeviceToHost, stream_));
        require(cudaLaunchHostFunc(
            stream_,
            [](void* p) {
                const auto t = Clock::now();
                static_cast<Request*>(p)->finished.set_value(t);
            },
            &r));
        return done;
    }

    void drain() { require(cudaStreamSynchronize(stream_)); }
    const int* pixels(int id) const { return host_.get() + std::size_t(id) * kPixels; }
    const Stamp& stamp(int id) const { return stamps_[id]; }

private:
    std::unique_ptr<int[], PinnedDelete> host_;
    std::unique_ptr<Stamp[], PinnedDelete> stamps_;
    cudaStream_t stream_{};
    int* dev_ = nullptr;
    Stamp* dev_stamps_ = nullptr;
};

double ms(Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

int run() {
    std::deque<Request> warm(1), requests(kRequests);
    Service service(kRequests);
    service.submit(warm.front()).wait();
    service.drain();

    std::vector<std::future<Clock::time_point>> pending;
    for (int i = 0; i < kRequests; ++i) {
        requests[i].id = i;
        pending.push_back(service.submit(requests[i]));
    }

    std::vector<double> latency;
    Clock::time_point last{};
    for (int i = 0; i < kRequests; ++i) {
        last = pending[i].get();
        latency.push_back(ms(last - requests[i].submitted));
    }
    const double total = ms(last - requests.front().submitted);

    int wrong = 0;
    for (int i = 0; i < kRequests; ++i)
        for (int k = 0; k < kPixels; ++k) wrong += service.pixels(i)[k] != k * 7 + i * 1009;
    const double device = double(service.stamp(kRequests - 1).end - service.stamp(0).begin) * 1e-6;

    std::sort(latency.begin(), latency.end());
    std::printf("p50 %.2f ms  p99 %.2f ms  %.1f req/s\n", latency[kRequests / 2], latency.back(),
                1000.0 * kRequests / total);
    const double ratio = std::max(total / device, device / total);
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}

}  // namespace

int main() {
    try {
        return run();
    } catch (const CudaFailure& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
