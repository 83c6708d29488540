// Segment tables on their way to the device.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>
#include <vector>

namespace ragged {

inline void check(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorName(code));
}

struct Segment {
    int begin;
    int length;
    float a, b;
};

class Workspace {
public:
    explicit Workspace(int maxSegments);
    ~Workspace();
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    // The table on the device, valid for work enqueued in `stream` until the next upload.
    const Segment* upload(const Segment* segments, int count, cudaStream_t stream);

private:
    struct FreePinned {
        void operator()(Segment* p) const noexcept { cudaFreeHost(p); }
    };
    using PinnedTable = std::unique_ptr<Segment[], FreePinned>;

    PinnedTable makeTable() const;

    int capacity_;
    PinnedTable host_;
    std::vector<PinnedTable> captured_;  // one for each call in a graph
    Segment* device_ = nullptr;
    cudaEvent_t uploaded_ = nullptr;
};

}  // namespace ragged
