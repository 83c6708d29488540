#include "plan.cuh"
#include <cmath>
#include <map>
#include <memory>

namespace {

class Server {
public:
    Server() : pool_(8) {
        int k = 0;
        for (int batch : {1, 4, 16, 64}) {
            infer::PlanConfig cfg;
            cfg.batch = batch;
            cfg.scale = 1.0f + k;
            cfg.bias = 10.0f * k;
            plans_.emplace(batch, std::make_unique<infer::Plan>(pool_, cfg));
            ++k;
        }
    }

    int serve(int batch, float seed) {
        infer::Plan& plan = *plans_.at(batch);
        std::vector<float> in(batch * 64);
        for (size_t i = 0; i < in.size(); ++i) in[i] = seed + 0.125f * static_cast<float>(i % 32);
        const auto out = plan.infer(in);
        int bad = 0;
        for (size_t i = 0; i < in.size(); ++i) {
            const float lane = static_cast<float>(i % 64);
            const float want = in[i] * (plan.config().scale + 0.5f * lane) + (plan.config().bias - lane);
            if (std::fabs(out[i] - want) > 1e-2f) ++bad;
        }
        return bad;
    }

private:
    infer::ParamPool pool_;
    std::map<int, std::unique_ptr<infer::Plan>> plans_;
};

}  // namespace

int main() {
    Server server;
    int bad = 0;
    for (int round = 0; round < 3; ++round)
        for (int batch : {16, 1, 64, 4}) bad += server.serve(batch, 0.5f * round);
    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return 0;
}
