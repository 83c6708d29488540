#include "wall.h"

namespace wall {
Panel::Panel(int id, const PanelSpec& spec, const ShowSpec& show, CUdeviceptr tickWord)
    : id_(id), spec_(spec), composeNs_(show.composeNs), tickWord_(tickWord) {
    WALL_CU(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
    WALL_CU(cuMemAlloc(&surface_, spec_.pixels * sizeof(unsigned)));
    WALL_CU(cuMemAlloc(&log_, show.frames * sizeof(Shown)));
    WALL_CU(cuMemsetD8Async(log_, 0, show.frames * sizeof(Shown), stream_));
    shown_.resize(show.frames);
    for (CUevent& e : shown_) WALL_CU(cuEventCreate(&e, CU_EVENT_DISABLE_TIMING));
    WALL_CU(cuStreamSynchronize(stream_));
}

Panel::~Panel() {
    for (CUevent e : shown_) cuEventDestroy(e);
    cuMemFree(log_);
    cuMemFree(surface_);
    cuStreamDestroy(stream_);
}

void Panel::enqueue(int frame) {
    const cuuint32_t due = static_cast<cuuint32_t>(frame + spec_.latency);
    WALL_CU(cuStreamWaitValue32(stream_, tickWord_, due, CU_STREAM_WAIT_VALUE_GEQ));

    CUdeviceptr entry = log_ + (frame - 1) * sizeof(Shown);
    void* args[] = {&surface_, &spec_.pixels, &id_, &frame, &composeNs_, &tickWord_, &entry};
    WALL_CU(cuLaunchKernel(composeFunction(), 1, 1, 1, 256, 1, 1, 0, stream_, args, nullptr));
    WALL_CU(cuEventRecord(shown_[frame - 1], stream_));
}

CUevent Panel::shown(int frame) const {
    if (frame < 1 || frame > static_cast<int>(shown_.size())) return nullptr;
    return shown_[frame - 1];
}

void Panel::finish() { WALL_CU(cuStreamSynchronize(stream_)); }

std::vector<Shown> Panel::log() const {
    std::vector<Shown> out(shown_.size());
    WALL_CU(cuMemcpyDtoH(out.data(), log_, out.size() * sizeof(Shown)));
    return out;
}
}  // namespace wall
