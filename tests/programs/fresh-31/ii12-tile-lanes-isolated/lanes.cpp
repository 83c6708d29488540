#include "lanes.h"

#include <algorithm>

namespace farm {

LaneSet::LaneSet(const RenderConfig& config) {
    int least = 0, greatest = 0;
    ensure(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    const unsigned kind = config.isolated ? cudaStreamNonBlocking : cudaStreamDefault;
    for (int i = 0; i < config.lanes; ++i) {
        cudaStream_t lane = nullptr;
        const int priority = config.prioritised ? std::max(greatest, least - i) : least;
        ensure(cudaStreamCreateWithPriority(&lane, kind, priority));
        lanes_.push_back(lane);
    }
}

LaneSet::~LaneSet() {
    for (cudaStream_t lane : lanes_) cudaStreamDestroy(lane);
}

void LaneSet::finish() const {
    for (cudaStream_t lane : lanes_) ensure(cudaStreamSynchronize(lane));
}

}  // namespace farm
