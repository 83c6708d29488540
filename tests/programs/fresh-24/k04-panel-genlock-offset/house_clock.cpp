#include "wall.h"

namespace wall {
HouseClock::HouseClock() {
    WALL_CU(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
    WALL_CU(cuMemAlloc(&word_, sizeof(cuuint32_t)));
    WALL_CU(cuMemsetD32Async(word_, 0, 1, stream_));
    WALL_CU(cuStreamSynchronize(stream_));
}

HouseClock::~HouseClock() {
    cuMemFree(word_);
    cuStreamDestroy(stream_);
}

void HouseClock::advance(int tick) {
    for (const Panel* p : panels_) {
        const int onGlass = tick - 1 - p->latency();
        if (CUevent e = p->shown(onGlass)) WALL_CU(cuStreamWaitEvent(stream_, e, 0));
    }
    WALL_CU(cuStreamWriteValue32(stream_, word_, static_cast<cuuint32_t>(tick),
                                 CU_STREAM_WRITE_VALUE_DEFAULT));
}

void HouseClock::finish() { WALL_CU(cuStreamSynchronize(stream_)); }
}  // namespace wall
