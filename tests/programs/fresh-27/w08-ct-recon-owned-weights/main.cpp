#include <cmath>

#include "reconstructor.h"

namespace {

float sample(int slice, int view, int detector) {
    return static_cast<float>(5 + (slice * 3 + view * 7 + detector) % 11);
}

class Phantom {
public:
    explicit Phantom(const ct::Geometry& geometry) : geometry_(geometry) {}

    void operator()(int slice, float* out) const {
        for (int v = 0; v < geometry_.views; ++v)
            for (int d = 0; d < geometry_.detectors; ++d)
                out[v * geometry_.detectors + d] = sample(slice, v, d);
    }

    float expected(int slice, int detector) const {
        float sum = 0.f;
        for (int v = 0; v < geometry_.views; ++v)
            sum += sample(slice, v, (detector + v) % geometry_.detectors) * ct::view_weight(v);
        return sum;
    }

private:
    ct::Geometry geometry_;
};

}  // namespace

int main() {
    const ct::Geometry geometry;
    const Phantom phantom(geometry);
    ct::Reconstructor reconstructor(geometry);

    int wrong = 0;
    for (int slice = 0; slice < geometry.slices; ++slice) {
        const auto image = reconstructor.reconstruct(slice, phantom);
        for (int d = 0; d < geometry.detectors; ++d)
            wrong += std::fabs(image[d] - phantom.expected(slice, d)) > 0.5f;
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong ? 1 : 0;
}
