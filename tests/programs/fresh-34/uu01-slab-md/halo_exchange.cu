#include "md/halo_exchange.h"

namespace md {

HaloExchange::HaloExchange(std::vector<std::unique_ptr<Domain>>& domains) : domains_(domains) {
    for (std::size_t i = 0; i < domains_.size(); ++i) {
        auto port = std::make_unique<Port>();
        for (int g = 0; g < 2; ++g) {
            port->low[g] = std::make_unique<DeviceArray<double>>(kReach);
            port->high[g] = std::make_unique<DeviceArray<double>>(kReach);
        }
        ports_.push_back(std::move(port));
    }
    MD_CUDA(cudaDeviceSynchronize());
}

int HaloExchange::wrap(int rank) const {
    const int n = static_cast<int>(ports_.size());
    return (rank + n) % n;
}

void HaloExchange::publish_port(Port& port, Domain& domain, int generation) {
    domain.pack_face(kLow, port.low[generation]->data());
    port.packed.record(domain.compute());
    domain.pack_face(kHigh, port.high[generation]->data());
}

void HaloExchange::publish(int step) {
    const int generation = step & 1;
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        publish_port(*ports_[i], *domains_[i], generation);
    }
}

void HaloExchange::fetch(Port& mine, double* ghost, const DeviceArray<double>& wire) {
    MD_CUDA(cudaMemcpyAsync(ghost, wire.data(), kReach * sizeof(double), cudaMemcpyDeviceToDevice, mine.comm));
}

void HaloExchange::collect(int step) {
    const int generation = step & 1;
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        Port& mine = *ports_[i];
        Domain& domain = *domains_[i];
        Port& left = *ports_[wrap(domain.rank() - 1)];
        Port& right = *ports_[wrap(domain.rank() + 1)];

        mine.packed.block(mine.comm);
        left.packed.block(mine.comm);
        right.packed.block(mine.comm);
        fetch(mine, domain.ghost(kLow), *left.high[generation]);
        fetch(mine, domain.ghost(kHigh), *right.low[generation]);
        mine.arrived.record(mine.comm);
        mine.arrived.block(domain.compute());
    }
}

}  // namespace md
