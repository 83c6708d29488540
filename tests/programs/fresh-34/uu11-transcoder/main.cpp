// Offline transcoder: halves, denoises and predicts the frames of a clip.
#include "vt/pipeline.h"

int main() {
    vt::Format format;
    vt::Transcoder transcoder(format, 4);
    transcoder.run();

    std::vector<uint8_t> source(format.pixels());
    std::vector<uint8_t> state(format.out_pixels(), 0);
    std::vector<uint8_t> coded(format.out_pixels());
    int off = 0;
    for (int i = 0; i < format.frames; ++i) {
        vt::render_source(format, i, source.data());
        vt::transcode_on_host(format, source.data(), state, coded);
        off += vt::digest(coded.data(), format.out_pixels()) != transcoder.digests()[i];
    }
    std::printf("frames %d size %dx%d\n", format.frames, format.out_width(), format.out_height());
    if (off) {
        std::printf("WRONG %d\n", off);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
