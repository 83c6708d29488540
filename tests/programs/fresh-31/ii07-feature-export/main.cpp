#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "block_cache.h"
#include "stages.h"

namespace feat {

void must(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

}  // namespace feat

int main() {
    feat::ModelConfig config;
    feat::BlockCache cache;
    int wrong = 0;
    {
        feat::Backbone backbone(config, cache);
        std::vector<std::unique_ptr<feat::Consumer>> consumers;
        for (const char* kind : {"export", "index"}) consumers.push_back(feat::make_consumer(kind, config));

        for (int image = 0; image < config.images; ++image) {
            feat::TensorPtr embedding = backbone.embed(image);
            for (auto& consumer : consumers) consumer->accept(image, embedding);
        }
        backbone.drain();

        for (auto& consumer : consumers) {
            const std::vector<float> results = consumer->collect();
            for (int image = 0; image < config.images; ++image)
                if (std::fabs(results[image] - consumer->expected(image)) > 0.01f) ++wrong;
        }
    }
    std::fprintf(stderr, "%zu KiB of blocks\n", cache.reserved() / 1024);
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong ? 1 : 0;
}
