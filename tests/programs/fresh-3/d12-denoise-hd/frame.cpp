#include "frame.h"

static constexpr size_t kPage = 4096;

FrameBuffer make_frame(size_t bytes) {
    void* p = nullptr;
    size_t rounded = (bytes + kPage - 1) / kPage * kPage;
    GPU(cudaMallocHost(&p, rounded));
    return FrameBuffer(static_cast<uint8_t*>(p));
}

void FrameRelease::operator()(uint8_t* p) const { cudaFreeHost(p); }
