#include <cmath>
#include <cstdio>

#include "model.hpp"

namespace {

std::vector<float> weightsOf(int layer) {
    std::vector<float> w(16 + 8 * layer);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = float((i * 3 + layer) % 4) + 0.5f;
    return w;
}

int serve() {
    constexpr int kWidth = 4096;
    constexpr int kLayers = 6;

    plates::Checkpoint ckpt;
    plates::Reader reader(kWidth);
    for (int l = 0; l < kLayers; ++l) {
        const std::string name = "block." + std::to_string(l) + ".weight";
        ckpt.declare(name, [l] { return weightsOf(l); });
        reader.add(l % 2 ? plates::makeShift(ckpt, name) : plates::makeScale(ckpt, name));
    }
    reader.compile();

    int wrong = 0;
    for (int plate = 0; plate < 10; ++plate) {
        std::vector<float> glyphs(kWidth);
        for (int i = 0; i < kWidth; ++i) glyphs[i] = float((i + plate * 5) % 9);
        const std::vector<float> got = reader.read(glyphs);
        for (int i = 0; i < kWidth; ++i) {
            double want = glyphs[i];
            for (int l = 0; l < kLayers; ++l) {
                const std::vector<float> w = weightsOf(l);
                want = l % 2 ? want + w[i % w.size()] : want * w[i % w.size()];
            }
            if (std::fabs(want - got[i]) > 1e-3) ++wrong;
        }
    }
    return wrong;
}

}  // namespace

int main() {
    try {
        const int wrong = serve();
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
