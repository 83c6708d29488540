#include <atomic>
#include <cmath>
#include <cstdio>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "device_memory.h"
#include "scorer.h"

namespace ranker {

struct ServerConfig {
    int dim = 1 << 21;
    int modelUpdates = 3;
    int requestsPerModel = 4;
};

// Keeps one scorer resident on the GPU and feeds it through a mailbox, so that
// a request costs no launch. Models are rolled forward while it is serving.
class ShelfRanker {
public:
    explicit ShelfRanker(const ServerConfig& cfg)
        : cfg_(cfg),
          mailbox_(makePinned<Mailbox>(1, cudaHostAllocMapped)),
          staging_(makePinned<float>(cfg.dim)),
          features_(makeDevice<float>(cfg.dim)) {
        new (mailbox_.get()) Mailbox{};
        for (int i = 0; i < cfg_.dim; ++i) staging_.get()[i] = static_cast<float>(i % 7);
        push(features_.get());
        for (int m = 0; m <= cfg_.modelUpdates; ++m) standby_.push_back(makeDevice<float>(cfg_.dim));
        active_ = takeStandby();
        writeModel(0, active_.get());
    }

    ~ShelfRanker() {
        mailbox_->stop = 1;
        std::atomic_thread_fence(std::memory_order_seq_cst);
        cudaStreamSynchronize(serving_);
    }

    void start() { launchScorer(mailbox_.get(), features_.get(), cfg_.dim, serving_); }

    void rollForward(int version) {
        DevicePtr<float> next = takeStandby();
        writeModel(version, next.get());
        previous_.push_back(std::exchange(active_, std::move(next)));
    }

    double rank() {
        const unsigned ticket = ++tickets_;
        mailbox_->weights = active_.get();
        std::atomic_thread_fence(std::memory_order_seq_cst);
        mailbox_->posted = ticket;
        while (mailbox_->finished != ticket) std::this_thread::yield();
        std::atomic_thread_fence(std::memory_order_seq_cst);
        return mailbox_->score;
    }

private:
    DevicePtr<float> takeStandby() {
        DevicePtr<float> p = std::move(standby_.back());
        standby_.pop_back();
        return p;
    }

    void writeModel(int version, float* dst) {
        for (int i = 0; i < cfg_.dim; ++i) staging_.get()[i] = static_cast<float>(version + 1);
        push(dst);
    }

    void push(float* dst) {
        require(cudaMemcpyAsync(dst, staging_.get(), cfg_.dim * sizeof(float), cudaMemcpyHostToDevice, loading_));
        loading_.wait();
    }

    ServerConfig cfg_;
    Stream serving_;
    Stream loading_;
    PinnedPtr<Mailbox> mailbox_;
    PinnedPtr<float> staging_;
    DevicePtr<float> features_;
    DevicePtr<float> active_;
    std::vector<DevicePtr<float>> standby_;
    std::vector<DevicePtr<float>> previous_;
    unsigned tickets_ = 0;
};

}  // namespace ranker

int main() {
    using namespace ranker;
    try {
        const ServerConfig cfg;
        double base = 0.0;
        for (int i = 0; i < cfg.dim; ++i) base += i % 7;

        int wrong = 0;
        {
            ShelfRanker server(cfg);
            server.start();
            for (int version = 0; version <= cfg.modelUpdates; ++version) {
                if (version > 0) server.rollForward(version);
                for (int r = 0; r < cfg.requestsPerModel; ++r)
                    if (std::fabs(server.rank() - base * (version + 1)) > 0.5) ++wrong;
                std::printf("model %d served\n", version);
            }
        }
        if (wrong) std::printf("WRONG %d\n", wrong);
        else std::printf("DONE\n");
        return wrong != 0;
    } catch (const GpuFailure& f) {
        std::printf("ERROR %s\n", f.what());
        return 2;
    }
}
