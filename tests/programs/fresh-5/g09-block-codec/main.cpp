// Still-image encoder: luma and chroma planes at their own quality.
#include <cstdio>
#include <memory>
#include <vector>

#include "plane_codec.h"

namespace {

struct PlaneSpec {
    const char* name;
    int quality;
    std::size_t blocks;
};

constexpr PlaneSpec kPlanes[] = {{"Y", 85, 4096}, {"Cb", 60, 1024}, {"Cr", 40, 1024}};

std::vector<int> coefficients(std::size_t n, int image) {
    std::vector<int> c(n);
    for (std::size_t i = 0; i < n; ++i) c[i] = int((i * 2654435761u + unsigned(image) * 97u) % 4001u) - 2000;
    return c;
}

int run() {
    codec::Staging staging(64 * 1024);
    std::vector<std::unique_ptr<codec::PlaneCodec>> planes;
    for (const PlaneSpec& p : kPlanes)
        planes.push_back(std::make_unique<codec::PlaneCodec>(staging, p.quality, p.blocks));

    int wrong = 0;
    for (int image = 0; image < 3; ++image) {
        std::vector<std::vector<int>> source;
        for (auto& p : planes) {
            source.push_back(coefficients(p->count(), image));
            codec::check(cudaMemcpy(p->input(), source.back().data(), p->count() * sizeof(int), cudaMemcpyHostToDevice));
        }
        codec::check(cudaDeviceSynchronize());
        for (auto& p : planes) p->encode();
        for (auto& p : planes) p->finish();
        for (std::size_t k = 0; k < planes.size(); ++k) {
            std::vector<int> levels(planes[k]->count());
            codec::check(cudaMemcpy(levels.data(), planes[k]->output(), levels.size() * sizeof(int), cudaMemcpyDeviceToHost));
            int off = 0;
            for (std::size_t i = 0; i < levels.size(); ++i) {
                const int step = codec::table_entry(kPlanes[k].quality, int(i % codec::kBlock));
                if (levels[i] != source[k][i] / step) ++off;
            }
            if (image == 0) std::printf("plane %s: %zu levels, %d differ from the model\n", kPlanes[k].name, levels.size(), off);
            wrong += off;
        }
    }
    return wrong;
}

}  // namespace

int main() {
    try {
        const int wrong = run();
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const codec::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
