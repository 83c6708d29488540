#include "encoder.h"

int main() {
    constexpr int kFrames = 6;
    int wrong = 0;
    {
        ve::Encoder encoder;
        std::vector<ve::Frame*> clip;
        for (int n = 0; n < kFrames; ++n) {
            ve::Frame& frame = encoder.acquire(n);
            for (int i = 0; i < kBlocksPerFrame; ++i) frame.luma[i] = (i * 13 + n * 5) % 251;
            clip.push_back(&frame);
        }
        for (ve::Frame* frame : clip) encoder.encode(*frame);
        encoder.finish();

        for (const ve::Frame* frame : clip) {
            int activity = 0;
            for (int i = 0; i < kBlocksPerFrame; ++i) activity += frame->luma[i];
            const int q = ve::RateControl::choose(activity);
            for (int i = 0; i < kBlocksPerFrame; ++i)
                if (frame->coded[i] != frame->luma[i] / q) ++wrong;
        }
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
