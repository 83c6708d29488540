#include <future>
#include <map>
#include <memory>
#include <random>
#include "session.h"
using namespace asr;
namespace {
// All calls of the exchange. Sessions are opened by one task each, since callers
// ring in bursts; chunks are fed from the media loop.
class SessionManager {
public:
    void openAll(const std::vector<SessionConfig>& configs) {
        std::vector<std::future<std::unique_ptr<Session>>> opening;
        for (const SessionConfig& c : configs)
            opening.push_back(std::async(std::launch::async, [c] {
                auto s = std::make_unique<Session>(c);
                s->prepare();
                return s;
            }));
        for (auto& f : opening) {
            auto s = f.get();
            const std::string caller = s->config().caller;
            sessions_[caller] = std::move(s);
        }
    }

    long mediaRound(std::mt19937& rng) {
        std::map<std::string, std::vector<int>> want;
        for (auto& [caller, s] : sessions_) {
            std::vector<int> chunk(s->config().samples);
            for (int& v : chunk) v = (int)(rng() % 4001) - 2000;
            s->feed(chunk);
            want[caller] = transcribed(s->config(), chunk);
        }
        long wrong = 0;
        for (auto& [caller, s] : sessions_) {
            const std::vector<int> got = s->collect();
            for (size_t i = 0; i < got.size(); ++i) wrong += got[i] != want[caller][i];
        }
        return wrong;
    }

    long audit(int rounds) const {
        long wrong = 0;
        for (auto& [caller, s] : sessions_) wrong += s->chunks() != rounds;
        return wrong;
    }
private:
    std::map<std::string, std::unique_ptr<Session>> sessions_;
};
}  // namespace

int main() {
    long wrong = 0;
    {
        std::vector<SessionConfig> configs;
        const char* callers[] = {"kiel", "bremen", "emden", "husum", "jever", "celle"};
        int k = 0;
        for (const char* c : callers) {
            configs.push_back(SessionConfig{c, 4096 + 1024 * (k % 3), 2 + k, 5 - k});
            ++k;
        }
        SessionManager manager;
        manager.openAll(configs);
        std::mt19937 rng(11);
        const int rounds = 5;
        for (int r = 0; r < rounds; ++r) wrong += manager.mediaRound(rng);
        wrong += manager.audit(rounds);
    }
    if (wrong) std::printf("WRONG %ld\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
