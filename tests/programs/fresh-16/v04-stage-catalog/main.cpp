#include "session.h"

#include <algorithm>

int main()
{
    constexpr int kTicks = 1 << 14;
    constexpr int kRounds = 20;

    float *in = nullptr, *out = nullptr;
    feed::require(cudaHostAlloc(&in, kTicks * sizeof(float), cudaHostAllocDefault));
    feed::require(cudaHostAlloc(&out, kTicks * sizeof(float), cudaHostAllocDefault));

    long wrong = 0;
    {
        feed::session s({"scale", "clamp"}, kTicks);
        s.open();
        for (int r = 0; r < kRounds; ++r) {
            for (int i = 0; i < kTicks; ++i) in[i] = static_cast<float>((i + 31 * r) % 400);
            s.process(in, out, kTicks);
            for (int i = 0; i < kTicks; ++i)
                wrong += out[i] != std::min(std::max(in[i] * 0.25f, 10.0f), 60.0f);
        }
        wrong += s.close() != static_cast<unsigned>(kRounds);
    }

    cudaFreeHost(out);
    cudaFreeHost(in);
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
