// plume: transport of a tracer in a wind field that is solved anew each step
#include "plume.cuh"

#include <cmath>
#include <vector>

namespace {

template <class Model>
struct Driver {
    static constexpr int kSteps = 6;

    static void run(Model &m)
    {
        for (int step = 0; step < kSteps; ++step)
            m.frame(step);
    }
};

struct Coupled {
    using Solver = plume::WindSolver<>;
    using Transport = plume::Tracer<Solver>;

    Solver solver;
    Transport transport{solver};

    void frame(int step)
    {
        solver.advance(step);
        transport.advance(step, solver);
        solver.drain();
        transport.drain();
    }
};

template <int Steps>
long compare(const std::vector<float> &got)
{
    long bad = 0;
    for (int i = 0; i < plume::kCells; ++i) {
        float want = 0;
        for (int s = 0; s < Steps; ++s)
            want += 0.5f * plume::wind_at(i, s);
        if (std::fabs(want - got[i]) > 1e-3f)
            ++bad;
    }
    return bad;
}

} // namespace

int main()
{
    Coupled model;
    Driver<Coupled>::run(model);

    std::vector<float> got(plume::kCells);
    model.transport.collect(got.data());

    if (const long bad = compare<Driver<Coupled>::kSteps>(got))
        std::printf("WRONG %ld\n", bad);
    else
        std::puts("DONE");
    return 0;
}
