#include "bench.hpp"

using namespace dispatch;
using Clock = std::chrono::steady_clock;

namespace {

constexpr unsigned kProbeMicros = 300;
constexpr int kLaunches = 200;

void launch(CUfunction f, const Queue& q, CUdeviceptr counter, unsigned arg) {
    void* args[] = {&counter, &arg};
    drv(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, q.get(), args, nullptr));
}

std::optional<double> find(const std::vector<Result>& results, const std::string& name) {
    for (const auto& r : results)
        if (r.name == name) return r.micros;
    return std::nullopt;
}

}  // namespace

int main() {
    Context ctx;
    Queue queue;
    CUdeviceptr counter = 0;
    drv(cuMemAlloc(&counter, sizeof(unsigned)));
    drv(cuMemsetD32(counter, 0, 1));
    drv(cuCtxSynchronize());

    CUfunction probe = probe_function();
    unsigned expected = 0;

    Suite suite;
    suite
        .add("first-result",
             [&] {
                 const auto t0 = Clock::now();
                 launch(tally_function(), queue, counter, 7);
                 queue.wait();
                 const double us = micros(Clock::now() - t0);
                 expected += 7;
                 return us;
             })
        .add("submit",
             [&] {
                 launch(probe, queue, counter, kProbeMicros);
                 queue.wait();
                 const auto t0 = Clock::now();
                 for (int i = 0; i < kLaunches; ++i) launch(probe, queue, counter, kProbeMicros);
                 const double us = micros(Clock::now() - t0) / kLaunches;
                 queue.wait();
                 expected += kLaunches + 1;
                 return us;
             })
        .add("steady", [&] {
            Marker begin, end;
            launch(probe, queue, counter, kProbeMicros);
            begin.record(queue);
            for (int i = 0; i < kLaunches; ++i) launch(probe, queue, counter, kProbeMicros);
            end.record(queue);
            end.wait();
            expected += kLaunches + 1;
            return end.micros_since(begin) / kLaunches;
        });

    const auto results = suite.run();
    for (const auto& r : results) std::printf("%-14s %10.2f us\n", r.name.c_str(), r.micros);

    unsigned got = 0;
    drv(cuMemcpyDtoH(&got, counter, sizeof got));
    drv(cuMemFree(counter));

    const double submit = find(results, "submit").value_or(-1.0);
    const double steady = find(results, "steady").value_or(-1.0);
    const double first = find(results, "first-result").value_or(-1.0);
    const double off = steady > kProbeMicros ? steady / kProbeMicros : kProbeMicros / steady;
    if (got != expected)
        std::printf("WRONG %u\n", got > expected ? got - expected : expected - got);
    else if (off > 1.5 || off <= 0.0)
        std::printf("SLOW %.2f\n", off);
    else if (submit <= 0.0 || submit > 0.5 * kProbeMicros)
        std::printf("SLOW %.2f\n", submit / kProbeMicros);
    else if (first <= 0.0)
        std::printf("WRONG 1\n");
    else
        std::printf("DONE\n");
    return 0;
}
