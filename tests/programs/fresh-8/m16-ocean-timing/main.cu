// Times the basin model three ways and prints the steady-state cost of a step.
#include "basin.cuh"
#include <algorithm>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr int kSteps = 4;

void run(ocean::basin& b, int steps)
{
    for (int i = 0; i < steps; ++i) b.step();
}

double by_events(ocean::basin& b)
{
    return stream_span(b.clock_stream(), [&] { run(b, kSteps); }) / kSteps;
}

double by_worker(ocean::basin& b)
{
    std::packaged_task<int()> season([&b] {
        all_ok(cudaSetDevice(0));
        run(b, kSteps);
        b.settle();
        return b.steps();
    });
    auto reached = season.get_future();
    const int before = b.steps();
    int after = before;
    const double ms = wall_span([&] {
        std::thread worker(std::move(season));
        after = reached.get();
        worker.join();
    });
    return ms / (after - before);
}

double by_device(ocean::basin& b)
{
    all_ok(cudaDeviceSynchronize());
    return wall_span([&] {
        run(b, kSteps);
        all_ok(cudaDeviceSynchronize());
    }) / kSteps;
}

} // namespace

int main()
{
    constexpr int cells = 1 << 16, coast = 1 << 12;
    auto model = std::make_unique<ocean::basin>(cells, coast);

    run(*model, 2);
    model->settle();

    const double events = by_events(*model);
    const double worker = by_worker(*model);
    const double device = by_device(*model);
    std::printf("per step: %.2f ms (events) %.2f ms (worker) %.2f ms (device)\n", events, worker, device);

    std::vector<int> scratch(cells);
    const int bad = model->mismatches(scratch.data());
    model.reset();

    double ratio = 1;
    for (double t : {events, worker}) ratio = std::max({ratio, t / device, device / t});
    if (bad)
        std::printf("WRONG %d\n", bad);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
