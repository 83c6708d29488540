#pragma once

#include <map>
#include <memory>
#include <utility>

#include "plan.h"

namespace xf {

class PlanCache {
public:
    explicit PlanCache(cudaStream_t stream) : stream_(stream) {}
    const Plan& lookup(const Shape& shape);
    std::size_t size() const { return plans_.size(); }

private:
    using Key = std::pair<int, int>;
    static Key key_of(const Shape& shape);

    cudaStream_t stream_;
    std::map<Key, std::unique_ptr<Plan>> plans_;
};

}  // namespace xf
