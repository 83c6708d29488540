#include "ingest.h"

static int run() {
    constexpr size_t kFloats = 1 << 16;
    constexpr int kPackets = 12;
    Ingest ingest(kFloats, kPackets);
    for (int k = 0; k < kPackets; ++k)
        ingest.submit([k](float* out, size_t n) {
            for (size_t i = 0; i < n; ++i) out[i] = float(k * 100 + int(i % 64));
        });
    const std::vector<float> got = ingest.drain();
    int wrong = 0;
    for (int k = 0; k < kPackets; ++k)
        for (size_t i = 0; i < kFloats; ++i)
            if (got[k * kFloats + i] != 2.0f * float(k * 100 + int(i % 64))) ++wrong;
    return wrong;
}

int main() {
    try {
        const int wrong = run();
        if (wrong) std::printf("WRONG %d\n", wrong);
        else std::printf("DONE\n");
    } catch (const CudaFault& f) {
        std::printf("ERROR %s\n", f.what());
        return 1;
    }
    return 0;
}
