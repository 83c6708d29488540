#include <algorithm>
#include <chrono>

#include "decoder.cuh"

namespace {

using namespace dec;
using Clock = std::chrono::steady_clock;

class Fleet {
public:
    explicit Fleet(int n) : workers_(n) {
        for (int i = 0; i < n; ++i) init_worker(workers_[i], i);
        DEC_TRY(cudaStreamCreateWithFlags(&tail_, cudaStreamNonBlocking));
        DEC_TRY(cudaEventCreateWithFlags(&all_done_, cudaEventDisableTiming));
    }
    ~Fleet() {
        DEC_TRY(cudaDeviceSynchronize());
        for (auto& w : workers_) free_worker(w);
        DEC_TRY(cudaEventDestroy(all_done_));
        DEC_TRY(cudaStreamDestroy(tail_));
    }

    // Submits from one thread per worker.
    cudaEvent_t submit_all(int packets) {
        std::vector<std::future<void>> jobs;
        for (auto& w : workers_)
            jobs.push_back(std::async(std::launch::async, [&w, packets] { submit(w, packets); }));
        for (auto& j : jobs) j.get();
        for (auto& w : workers_) DEC_TRY(cudaStreamWaitEvent(tail_, w.done, 0));
        DEC_TRY(cudaEventRecord(all_done_, tail_));
        packets_ += packets;
        return all_done_;
    }

    long mismatches() const {
        long bad = 0;
        std::vector<unsigned> host(kSymbols);
        for (const auto& w : workers_) {
            DEC_TRY(cudaMemcpyAsync(host.data(), w.state, kSymbols * sizeof(unsigned),
                                    cudaMemcpyDeviceToHost, w.stream));
            DEC_TRY(cudaStreamSynchronize(w.stream));
            for (int i = 0; i < kSymbols; i += 3)
                if (host[i] != expected_symbol(w.id, i, packets_)) ++bad;
        }
        return bad;
    }
    size_t size() const { return workers_.size(); }

private:
    std::vector<Worker> workers_;
    cudaStream_t tail_ = nullptr;
    cudaEvent_t all_done_ = nullptr;
    int packets_ = 0;
};

double ms_since(Clock::time_point t0) {
    return std::chrono::duration<double, std::milli>(Clock::now() - t0).count();
}

double measure(Fleet& fleet, int packets) {
    const auto t0 = Clock::now();
    DEC_TRY(cudaEventSynchronize(fleet.submit_all(packets)));
    return ms_since(t0);
}

}  // namespace

int main() {
    DEC_TRY(cudaSetDevice(0));
    Fleet fleet(5);
    measure(fleet, 2);

    const int packets = 10;
    const double measured = measure(fleet, packets);

    const auto t0 = Clock::now();
    fleet.submit_all(packets);
    DEC_TRY(cudaDeviceSynchronize());
    const double reference = ms_since(t0);

    std::printf("%.1f packets/s\n", 1e3 * packets * static_cast<double>(fleet.size()) / measured);
    if (const long bad = fleet.mismatches()) {
        std::printf("WRONG %ld\n", bad);
        return 1;
    }
    const double ratio = std::max(measured / reference, reference / measured);
    if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return ratio > 1.5;
}
