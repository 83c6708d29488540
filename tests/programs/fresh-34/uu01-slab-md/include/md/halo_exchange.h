#pragma once

#include <array>
#include <memory>
#include <vector>

#include "md/domain.h"

namespace md {

// Ghost exchange between neighbouring slabs of a periodic chain. The wire buffers alternate
// between two generations; a generation is picked by the parity of the step.
class HaloExchange {
public:
    explicit HaloExchange(std::vector<std::unique_ptr<Domain>>& domains);

    void publish(int step);
    void collect(int step);

private:
    struct Port {
        Stream comm;
        Event packed;
        Event arrived;
        std::array<std::unique_ptr<DeviceArray<double>>, 2> low;
        std::array<std::unique_ptr<DeviceArray<double>>, 2> high;
    };

    void publish_port(Port& port, Domain& domain, int generation);
    void fetch(Port& mine, double* ghost, const DeviceArray<double>& wire);
    int wrap(int rank) const;

    std::vector<std::unique_ptr<Domain>>& domains_;
    std::vector<std::unique_ptr<Port>> ports_;
};

}  // namespace md
