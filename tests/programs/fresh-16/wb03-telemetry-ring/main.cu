#include <cstdio>

#include "stages.h"

using namespace telemetry;

int main() {
    check(cudaFree(nullptr));

    LinkOptions opt;
    tring_config config{opt.ring_depth, opt.samples * sizeof(unsigned)};
    tring_t ring = nullptr;
    check(tring_create(&ring, &config));

    int wrong = 0;
    {
        Demodulator demod(ring, opt);
        Accumulator accum(ring, opt);
        demod.prepare();
        accum.prepare();

        for (unsigned w = 0; w < opt.windows; ++w) {
            demod.window(w * opt.burst);
            accum.consume(opt.burst);
        }
        check(cudaStreamSynchronize(demod.stream()));
        const std::vector<unsigned> got = accum.result();

        for (unsigned i = 0; i < opt.samples; ++i) {
            unsigned want = 0;
            for (unsigned p = 0; p < opt.burst * opt.windows; ++p) want += (i ^ p) & 0xffu;
            if (got[i] != want) ++wrong;
        }
    }
    check(tring_destroy(ring));

    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
