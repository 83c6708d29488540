#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include "lanes.cuh"

using namespace admit;

int main() {
    rt(cudaSetDevice(0));
    rt(cudaFree(nullptr));

    constexpr int n = 1 << 18;
    std::vector<float> input(n);
    for (int i = 0; i < n; ++i) input[i] = float(i % 101);

    Lane ranker(n), encoder(n);
    encoder.load(input);
    Turnstile admission, handover;

    int wrong = 0;
    float level = 0.f;
    for (uint32_t wave = 1; wave <= 5; ++wave) {
        // The ranker queues up first; it starts once the encoder has handed over its activations.
        handover.hold(ranker.stream(), wave);
        ranker.score_from(encoder, 0.5f);
        ranker.fetch();

        admission.hold(encoder.stream(), wave);
        encoder.score(1.0f);
        handover.advance(encoder.stream(), wave);

        std::thread gatekeeper([&admission, wave] {
            std::this_thread::sleep_for(std::chrono::milliseconds(15));
            admission.advance(wave);
        });
        ranker.finish();
        encoder.finish();
        gatekeeper.join();

        level += 1.0f;
        for (int i = 0; i < n; ++i) {
            const float want = (input[i] + level) * 0.5f + 1.0f;
            if (std::fabs(ranker.answer(i) - want) > 1e-3f) ++wrong;
        }
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::puts("DONE");
    return 0;
}
