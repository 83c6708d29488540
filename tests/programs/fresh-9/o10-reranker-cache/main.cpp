#include "model.h"
#include <atomic>
#include <mutex>
#include <thread>

namespace {

// The current model; the loader replaces it while requests are in flight.
class Registry {
public:
    std::shared_ptr<const Weights> current() {
        std::lock_guard<std::mutex> lk(m_);
        return history_.back();
    }
    void publish(std::shared_ptr<const Weights> w) {
        std::lock_guard<std::mutex> lk(m_);
        history_.push_back(std::move(w));
    }

private:
    std::mutex m_;
    std::vector<std::shared_ptr<const Weights>> history_;
};

int serve(Session& session, Registry& registry, int worker, int requests) {
    static constexpr int sizes[] = {8, 16, 64, 32};
    int wrong = 0;
    for (int r = 0; r < requests; ++r) {
        const int batch = sizes[(r + worker) % 4];
        int* x = session.features();
        for (int i = 0; i < batch * kFeatures; ++i) x[i] = (i + r * 5 + worker) % 19;
        const auto weights = registry.current();
        session.rank(batch, *weights);
        for (int b = 0; b < batch; ++b) {
            int expect = 0;
            for (int f = 0; f < kFeatures; ++f)
                expect += x[b * kFeatures + f] * Weights::value(weights->generation(), f);
            if (session.scores()[b] != expect) ++wrong;
        }
    }
    return wrong;
}

}  // namespace

int main() {
    constexpr int kWorkers = 3, kRequests = 60, kGenerations = 5;
    cudaStream_t loading;
    ensure(cudaStreamCreateWithFlags(&loading, cudaStreamNonBlocking));
    std::atomic<int> wrong{0};
    size_t graphs = 0;
    {
        Registry registry;
        registry.publish(std::make_shared<Weights>(0, loading));
        std::vector<std::unique_ptr<Session>> sessions;
        for (int w = 0; w < kWorkers; ++w) sessions.push_back(std::make_unique<Session>());

        std::vector<std::thread> threads;
        for (int w = 0; w < kWorkers; ++w)
            threads.emplace_back([&, w] { wrong += serve(*sessions[w], registry, w, kRequests); });
        threads.emplace_back([&] {
            for (int g = 1; g < kGenerations; ++g) registry.publish(std::make_shared<Weights>(g, loading));
        });
        for (auto& t : threads) t.join();
        for (auto& s : sessions) graphs += s->graphs();
    }
    ensure(cudaStreamDestroy(loading));
    if (graphs < 4 * kWorkers) ++wrong;
    if (wrong) std::printf("WRONG %d\n", wrong.load());
    else std::printf("DONE\n");
    return 0;
}
