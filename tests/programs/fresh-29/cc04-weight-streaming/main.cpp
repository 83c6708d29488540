// Decoder with weights offloaded to the host: one slot on the device, every
// layer streams its weights into it.  The first token runs eagerly, the rest
// replay a graph.
#include <cmath>
#include <random>

#include "decoder.h"

static int differing(const std::vector<float> &a, const std::vector<float> &b)
{
    int n = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::fabs(a[i] - b[i]) <= 1e-3f * (1.f + std::fabs(b[i])))) ++n;
    return n;
}

int main()
{
    std::mt19937 rng(99);
    std::uniform_real_distribution<float> u(-1.f, 1.f);

    model::Checkpoint ckpt;
    for (int block = 0; block < 6; ++block)
        for (const char *kind : {"gain", "gate"}) {
            std::vector<float> w(model::kWidth);
            for (float &v : w) v = 1.f + 0.5f * u(rng);
            ckpt.kinds.push_back(kind);
            ckpt.weights.push_back(std::move(w));
        }

    auto token = [&] {
        std::vector<float> x(model::kWidth);
        for (float &v : x) v = 2.f * u(rng);
        return x;
    };

    model::Decoder decoder(ckpt);
    int wrong = 0;

    const auto first = token();
    wrong += differing(decoder.run_eager(first), decoder.reference(first));

    decoder.compile();
    for (int step = 0; step < 8; ++step) {
        const auto x = token();
        wrong += differing(decoder.replay(x), decoder.reference(x));
    }

    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
