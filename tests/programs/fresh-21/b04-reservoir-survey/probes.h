#pragma once
#include <memory>
#include <string>
#include "reservoir.h"

namespace survey {

class Probe {
public:
    virtual ~Probe() = default;
    virtual const char* name() const = 0;
    // Enqueues a sample of the present state; the value lands in `*sink`.
    virtual void sample(const Reservoir& reservoir, long long* sink) = 0;
    virtual long long expected(const std::vector<int>& cells) const = 0;
};

std::unique_ptr<Probe> make_probe(const std::string& kind, const Geometry& geometry);

}  // namespace survey
