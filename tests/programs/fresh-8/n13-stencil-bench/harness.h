#pragma once
#include <functional>

#include "device.h"

namespace bench {

using Operation = std::function<void(Device&)>;

struct EventDeleter {
    using pointer = cudaEvent_t;
    void operator()(cudaEvent_t e) const { cudaEventDestroy(e); }
};
using Event = std::unique_ptr<cudaEvent_t, EventDeleter>;

Event makeEvent();

struct Report {
    double perCallMs;
    int calls;
};

// Steady-state time of an operation.
Report measure(Device& dev, const Operation& op, int calls);

}  // namespace bench
