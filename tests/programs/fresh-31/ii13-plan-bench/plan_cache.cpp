#include "plan_cache.h"

namespace xf {

PlanCache::Key PlanCache::key_of(const Shape& shape) {
    int capacity = 1;
    while (capacity < shape.batch) capacity *= 2;
    return {shape.length, capacity};
}

const Plan& PlanCache::lookup(const Shape& shape) {
    const Key key = key_of(shape);
    std::unique_ptr<Plan>& plan = plans_[key];
    if (!plan) plan = std::make_unique<Plan>(key.first, key.second, stream_);
    return *plan;
}

}  // namespace xf
