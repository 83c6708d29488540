#pragma once
#include "staging_resource.h"

#include <vector>

namespace telem {

// Folds batches of sensor samples into one accumulator per lane.
class compactor {
public:
    compactor(staging_resource& staging, int lanes, int samples);
    ~compactor();

    void submit(int batch_id, const std::vector<int>& samples);
    std::vector<long long> collect();

private:
    struct lane {
        cudaStream_t stream = nullptr;
        int* input = nullptr;
        long long* acc = nullptr;
    };

    staging_resource& staging_;
    int samples_;
    std::vector<lane> lanes_;
};

}  // namespace telem
