#pragma once
#include "pinned_pool.h"
#include <atomic>
#include <memory>

namespace ads {

// Takes feature batches from any thread and scores them in order of arrival.
class FeatureUploader {
public:
    explicit FeatureUploader(const UploaderConfig& config);
    ~FeatureUploader();
    FeatureUploader(const FeatureUploader&) = delete;
    FeatureUploader& operator=(const FeatureUploader&) = delete;

    void submit(int batch, PinnedPool::Lease features);
    std::vector<int> collect();
    int uploads() const { return uploads_.load(); }

private:
    struct Inflight {
        PinnedPool::Lease features;
        std::atomic<int>* uploads;
    };

    static void CUDART_CB uploaded(void* arg);
    int batches() const { return config_.producers * config_.batchesPerProducer; }

    UploaderConfig config_;
    std::mutex submitMutex_;
    cudaStream_t stream_ = nullptr;
    int* features_ = nullptr;
    int* scores_ = nullptr;
    std::atomic<int> uploads_{0};
};

}  // namespace ads
