#include "feature_uploader.h"
#include <cstdio>
#include <future>

namespace {

void produce(const ads::UploaderConfig& config, int producer, ads::PinnedPool& pool,
             ads::FeatureUploader& uploader) {
    for (int k = 0; k < config.batchesPerProducer; ++k) {
        int batch = producer * config.batchesPerProducer + k;
        ads::PinnedPool::Lease lease = pool.acquire();
        for (int i = 0; i < config.features; ++i) lease.data()[i] = ads::featureValue(batch, i);
        uploader.submit(batch, std::move(lease));
    }
}

}  // namespace

int main() {
    try {
        ads::UploaderConfig config;
        ads::PinnedPool pool(config.stagingBlocks, config.features);
        ads::FeatureUploader uploader(config);

        std::vector<std::future<void>> producers;
        for (int p = 0; p < config.producers; ++p) {
            producers.push_back(std::async(std::launch::async, [&, p] {
                produce(config, p, pool, uploader);
            }));
        }
        for (auto& p : producers) p.get();

        std::vector<int> scores = uploader.collect();
        const int total = config.producers * config.batchesPerProducer;
        long wrong = 0;
        for (int b = 0; b < total; ++b) {
            for (int i = 0; i < config.features; ++i) {
                std::size_t at = static_cast<std::size_t>(b) * config.features + i;
                if (scores[at] != ads::scoreOf(ads::featureValue(b, i))) ++wrong;
            }
        }
        if (uploader.uploads() != total) ++wrong;
        if (wrong) std::printf("WRONG %ld\n", wrong);
        else std::printf("DONE\n");
        return 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
