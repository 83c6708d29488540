// inferd: a small inference server, driven by the events of its sessions
#include "session.h"

#include <cmath>
#include <cstdio>
#include <memory>

namespace {

using namespace inferd;

constexpr int kClients = 3;

std::vector<float> features_of(int client)
{
    std::vector<float> v(kFeatures);
    for (int i = 0; i < kFeatures; ++i)
        v[i] = static_cast<float>((i * 5 + client * 17) % 41 - 20);
    return v;
}

class Server {
public:
    Server()
    {
        for (int c = 0; c < kClients; ++c)
            sessions_.push_back(std::make_unique<Session>(c, reactor_));
    }

    cudaError_t serve()
    {
        for (int c = 0; c < kClients; ++c) {
            const auto e = sessions_[c]->request(features_of(c), [this](Reply r) { on_reply(std::move(r)); });
            if (e != cudaSuccess)
                return e;
        }
        std::unique_lock<std::mutex> l(m_);
        cv_.wait(l, [this] { return replies_.size() == kClients; });
        return cudaSuccess;
    }

    const std::vector<Reply> &replies() const { return replies_; }

private:
    void on_reply(Reply r)
    {
        {
            std::lock_guard<std::mutex> g(m_);
            replies_.push_back(std::move(r));
        }
        cv_.notify_all();
    }

    std::mutex m_;
    std::condition_variable cv_;
    std::vector<Reply> replies_;
    Reactor reactor_;
    std::vector<std::unique_ptr<Session>> sessions_;
};

long check(const Reply &r)
{
    const auto in = features_of(r.client);
    long bad = 0;
    for (int i = 0; i < kFeatures; ++i) {
        const float want = std::fmax(0.0f, in[i] * 0.25f * (r.client + 1) + 0.5f);
        bad += std::fabs(want - r.scores[i]) > 1e-4f;
    }
    return bad;
}

} // namespace

int main()
{
    Server server;
    cudaError_t e = server.serve();

    long bad = 0;
    for (const auto &r : server.replies()) {
        if (e == cudaSuccess)
            e = r.status;
        bad += check(r);
    }

    if (e != cudaSuccess)
        std::printf("ERROR %s\n", cudaGetErrorName(e));
    else if (bad)
        std::printf("WRONG %ld\n", bad);
    else
        std::puts("DONE");
    return 0;
}
