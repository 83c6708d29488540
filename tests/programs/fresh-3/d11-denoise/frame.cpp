#include "frame.h"

static constexpr size_t kPage = 4096;

FrameBuffer make_frame(size_t bytes) {
    void* p = nullptr;
    size_t rounded = (bytes + kPage - 1) / kPage * kPage;
    if (posix_memalign(&p, kPage, rounded) != 0) {
        std::fprintf(stderr, "out of memory\n");
        std::exit(1);
    }
    return FrameBuffer(static_cast<uint8_t*>(p));
}

void FrameRelease::operator()(uint8_t* p) const { std::free(p); }
