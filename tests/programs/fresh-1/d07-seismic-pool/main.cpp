#include <array>

#include "stacker.cuh"

using namespace seis;

int main() {
    ok(cudaSetDevice(0));
    constexpr int samples = 1 << 18;
    constexpr int shots = 8;

    BlockPool pool(6, samples);
    Stacker stacker(pool, samples);
    std::array<Lane, 4> lanes;

    for (int shot = 0; shot < shots; ++shot) stacker.stack(shot, lanes[shot % lanes.size()]);
    for (const Lane& l : lanes) l.drain();

    std::vector<float> traces(size_t(samples) * shots);
    ok(cudaMemcpy(traces.data(), stacker.traces(), traces.size() * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int shot = 0; shot < shots; ++shot)
        for (int i = 0; i < samples; ++i)
            if (traces[size_t(shot) * samples + i] != 2.0f * (100.0f * (shot + 1) + float(i % 7))) {
                ++wrong;
                break;
            }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::puts("DONE");
    return wrong != 0;
}
