#pragma once

#include <map>
#include <vector>

#include "llm/model.h"

namespace llm {

struct Row {
    int32_t token;
    int32_t position;
    int32_t slot;
};

// Keeps one executable graph per batch bucket and replays the smallest that fits.
class GraphRunner {
public:
    GraphRunner(Model& model, std::vector<int> buckets);

    void prepare();
    std::vector<int32_t> step(const std::vector<Row>& rows);

    int replays() const { return replays_; }

private:
    std::size_t meta_len() const;
    std::size_t meta_bytes() const { return meta_len() * sizeof(int32_t); }
    void fill_padding(int32_t* meta) const;
    void record_step(const int32_t* host_meta, int rows);
    void capture(int bucket);
    int pick_bucket(int rows) const;

    Model& model_;
    std::vector<int> buckets_;
    StreamPtr stream_;
    PinnedPtr<int32_t> meta_;
    PinnedPtr<int32_t> next_;
    DevicePtr<int32_t> d_meta_;
    DevicePtr<int32_t> d_next_;
    std::map<int, GraphExecPtr> graphs_;
    int replays_ = 0;
};

}  // namespace llm
