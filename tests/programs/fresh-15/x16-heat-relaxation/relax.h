#pragma once
#include <cuda_runtime.h>
#include <optional>
#include <vector>

namespace heat {

struct Plate {
    int width = 1024;
    int height = 1024;
    int sweeps = 60;
};

struct Outcome {
    std::optional<cudaError_t> failure;
    std::vector<int> cells;
};

class RelaxationBuilder {
public:
    RelaxationBuilder& plate(const Plate& p) { plate_ = p; return *this; }
    RelaxationBuilder& threads(int t) { threads_ = t; return *this; }
    RelaxationBuilder& source(std::vector<int> cells) { cells_ = std::move(cells); return *this; }
    Outcome solve() const;

private:
    cudaError_t launch(int* a, int* b, void* gate, cudaStream_t stream) const;

    Plate plate_;
    int threads_ = 256;
    std::vector<int> cells_;
};

std::vector<int> relaxOnHost(const Plate& plate, std::vector<int> cells);

}  // namespace heat
