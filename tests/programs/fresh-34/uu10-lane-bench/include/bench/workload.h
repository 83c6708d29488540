#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/lanes.h"

namespace bench {

// Something that spreads launches over the lanes of a group.
class Workload {
public:
    virtual ~Workload() = default;
    virtual std::string name() const = 0;
    virtual void setup(int lanes) = 0;
    virtual void launch(LaneGroup& group) = 0;
    virtual bool verify(int passes) = 0;
};

class Registry {
public:
    using Factory = std::function<std::unique_ptr<Workload>()>;

    static Registry& global() {
        static Registry r;
        return r;
    }
    bool add(Factory f) {
        factories_.push_back(std::move(f));
        return true;
    }
    const std::vector<Factory>& factories() const { return factories_; }

private:
    std::vector<Factory> factories_;
};

#define BENCH_REGISTER(type) \
    static const bool registered_##type = ::bench::Registry::global().add([] { return std::make_unique<type>(); })

struct Plan {
    int lanes = 4;
    int warm_up = 2;
    int samples = 6;
};

struct Sample {
    std::string name;
    double best_ms = 0.0;
    double median_ms = 0.0;
    bool verified = false;
};

Sample measure(Workload& w, LaneGroup& group, const Plan& plan);

// Wall time of a single pass on an otherwise idle device.
double wall_time(Workload& w, LaneGroup& group);

}  // namespace bench
