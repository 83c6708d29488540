#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>
#include "fraud.h"

namespace fraud {

struct Batch {
    int id = -1;
    int rows = 0;
    int* features = nullptr;  // page-locked, rows x fields
};

using BatchPtr = std::shared_ptr<Batch>;

// Lends out batches; a batch comes back when its last owner lets go of it.
class BatchPool : public std::enable_shared_from_this<BatchPool> {
public:
    static std::shared_ptr<BatchPool> create(const ServiceConfig& config)
    {
        return std::shared_ptr<BatchPool>(new BatchPool(config));
    }
    ~BatchPool()
    {
        for (auto& b : batches_) cudaFreeHost(b->features);
    }

    BatchPtr lease(int id)
    {
        std::unique_lock<std::mutex> lock(mutex_);
        returned_.wait(lock, [this] { return !idle_.empty(); });
        Batch* batch = idle_.back();
        idle_.pop_back();
        batch->id = id;
        auto self = shared_from_this();
        return BatchPtr(batch, [self](Batch* b) { self->giveBack(b); });
    }

private:
    explicit BatchPool(const ServiceConfig& config)
    {
        for (int i = 0; i < config.pooledBatches; ++i) {
            auto batch = std::make_unique<Batch>();
            batch->rows = config.rows;
            must(cudaHostAlloc(reinterpret_cast<void**>(&batch->features),
                               sizeof(int) * config.rows * config.fields, cudaHostAllocPortable));
            idle_.push_back(batch.get());
            batches_.push_back(std::move(batch));
        }
    }
    void giveBack(Batch* batch)
    {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            idle_.push_back(batch);
        }
        returned_.notify_one();
    }

    std::mutex mutex_;
    std::condition_variable returned_;
    std::vector<std::unique_ptr<Batch>> batches_;
    std::vector<Batch*> idle_;
};

}  // namespace fraud
