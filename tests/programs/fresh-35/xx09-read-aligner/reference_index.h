// Seed table of the reference genome in device memory.
#pragma once

#include "cuda_support.h"
#include "genome.h"

#include <vector>

namespace readmap {

struct IndexView {
    const Base* genome = nullptr;
    const int* table = nullptr;
    int genomeLength = 0;
};

class ReferenceIndex {
public:
    ReferenceIndex(const MapperConfig& config, std::vector<Base> genome)
        : config_(config), hostGenome_(std::move(genome)) {}

    // Builds the table when it is first needed.
    const IndexView& view() {
        if (view_.table == nullptr) build();
        return view_;
    }

private:
    void build();

    MapperConfig config_;
    std::vector<Base> hostGenome_;
    DeviceBuffer<Base> genome_;
    DeviceBuffer<int> table_;
    IndexView view_;
};

}  // namespace readmap
