#pragma once
#include "host_matrix.h"
#include <vector>

namespace ooc {

struct Plan {
    int panels = 16;
    int panelRows = 64;
    int inner = 256;
    int cols = 512;
    int lanes = 4;
    int panelUs = 15000;  // a panel of the real problem takes this long
};

// C = A * B with B resident on the device and A and C going by in row panels.
class PanelPipeline {
public:
    PanelPipeline(const Plan& plan, const std::vector<float>& b);
    ~PanelPipeline();
    PanelPipeline(const PanelPipeline&) = delete;

    void enqueue(const HostMatrix<float>& a, HostMatrix<float>& c, int panel);
    void finish();

private:
    Plan plan_;
    float *a_ = nullptr, *b_ = nullptr, *c_ = nullptr;
    std::vector<cudaStream_t> lanes_;
};

}  // namespace ooc
