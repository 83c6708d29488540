#pragma once

#include <algorithm>
#include <vector>

#include "device_array.h"

// The current signature table; reloaded whenever the operator publishes a new
// rule set.
class RuleBook {
public:
    RuleBook() { require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~RuleBook() { cudaStreamDestroy(stream_); }

    void publish(std::vector<unsigned> rules) {
        std::sort(rules.begin(), rules.end());
        rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
        host_ = std::move(rules);
        DeviceArray<unsigned> next(host_, stream_);
        table_ = std::move(next);
        ++revision_;
    }

    const DeviceArray<unsigned>& table() const { return table_; }
    bool contains(unsigned key) const {
        return std::binary_search(host_.begin(), host_.end(), key);
    }
    int revision() const { return revision_; }

private:
    cudaStream_t stream_ = nullptr;
    DeviceArray<unsigned> table_;
    std::vector<unsigned> host_;
    int revision_ = 0;
};
