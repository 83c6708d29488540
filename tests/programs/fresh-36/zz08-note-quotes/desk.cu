// Steady-state repricing cost of a three-leg note, as quoted to the risk system.
#include <chrono>
#include <cmath>

#include "instrument.cuh"

namespace desk {

class Stopwatch {
public:
    Stopwatch() {
        ok(cudaEventCreate(&begin_));
        ok(cudaEventCreate(&end_));
    }
    ~Stopwatch() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    void start(cudaStream_t s) { ok(cudaEventRecord(begin_, s)); }
    void stop(cudaStream_t s) { ok(cudaEventRecord(end_, s)); }
    double milliseconds() {
        float ms = 0.0f;
        ok(cudaEventSynchronize(end_));
        ok(cudaEventElapsedTime(&ms, begin_, end_));
        return ms;
    }

private:
    cudaEvent_t begin_, end_;
};

template <class I>
double quotedCost(Instrument<I>& instrument, const Market& m, int rounds) {
    for (int i = 0; i < 2; ++i) instrument.reprice(m);
    instrument.value();

    Stopwatch watch;
    watch.start(instrument.stream());
    for (int i = 0; i < rounds; ++i) instrument.reprice(m);
    watch.stop(instrument.stream());
    return watch.milliseconds() / rounds;
}

template <class I>
double wallCost(Instrument<I>& instrument, const Market& m, int rounds) {
    ok(cudaDeviceSynchronize());
    const auto t0 = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; ++i) instrument.reprice(m);
    ok(cudaDeviceSynchronize());
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t0).count() / rounds;
}

}  // namespace desk

int main() {
    using namespace desk;
    using ThreeLegs = Note<Lattice, Lanes<3>, Forward, Digital, Average>;

    const Market market{100.0, 98.0, 0.03, 0.4};
    ThreeLegs note;
    const double quoted = quotedCost(note, market, 10);
    const double wall = wallCost(note, market, 10);
    const double value = note.value();
    const double expected = note.reference(market);
    const double ratio = wall > quoted ? wall / quoted : quoted / wall;

    if (!(std::fabs(value - expected) < 1e-6))
        std::printf("WRONG 1\n");
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
