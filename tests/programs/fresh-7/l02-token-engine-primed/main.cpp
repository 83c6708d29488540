#include "engine.h"

namespace {

float reference(std::vector<float> x) {
    const float gain[4] = {1.0f, 2.0f, 4.0f, 0.5f};
    float sum = 0.0f;
    for (size_t i = 0; i < x.size(); ++i) sum += (x[i] * 2.0f + 1.0f) * gain[i & 3];
    return sum;
}

std::vector<float> prompt(int request, int tokens) {
    std::vector<float> p(tokens);
    for (int i = 0; i < tokens; ++i) p[i] = static_cast<float>((i + request) % 17);
    return p;
}

}  // namespace

int main() {
    serve::EngineConfig cfg;
    cfg.preprocessing = {"embed", "gain"};
    int wrong = 0;
    {
        serve::Engine engine(cfg);
        engine.start();
        for (int r = 0; r < 8; ++r) {
            const auto p = prompt(r, 1024 + 256 * r);
            if (engine.infer(p) != reference(p)) ++wrong;
        }
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
