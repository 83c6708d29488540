// Throughput of the relaxation module: two fields advance on two queues, and the rate is
// reported in sweeps per second once the device is warm.
#include "device.h"
#include <chrono>
#include <cstdio>
#include <vector>

namespace {

constexpr unsigned kCells = 1 << 14;
constexpr int kRounds = 10;
constexpr uint64_t kSweepNs = 8ull * 1000 * 1000;

struct timing {
    double wall_ms;
    float event_ms;
};

CUresult rounds(machine *m, field *f, int count)
{
    for (int i = 0; i < count; ++i) {
        DRV(relax_enqueue(m, 0, &f[0], kSweepNs, 1.f));
        DRV(relax_enqueue(m, 1, &f[1], kSweepNs, 2.f));
    }
    return CUDA_SUCCESS;
}

CUresult measure(machine *m, field *f, timing *out)
{
    DRV(rounds(m, f, 1));
    DRV(cuCtxSynchronize());

    const auto t0 = std::chrono::steady_clock::now();
    DRV(cuEventRecord(m->begin, m->queue[0]));
    DRV(cuStreamWaitEvent(m->queue[1], m->begin, CU_EVENT_WAIT_DEFAULT));
    DRV(rounds(m, f, kRounds));
    DRV(cuEventRecord(m->side, m->queue[1]));
    DRV(cuStreamWaitEvent(m->queue[0], m->side, CU_EVENT_WAIT_DEFAULT));
    DRV(cuEventRecord(m->end, m->queue[0]));
    DRV(cuEventSynchronize(m->end));
    const auto t1 = std::chrono::steady_clock::now();

    out->wall_ms = std::chrono::duration<double, std::milli>(t1 - t0).count();
    return cuEventElapsedTime(&out->event_ms, m->begin, m->end);
}

CUresult verify(const field *f, float expected, long *wrong)
{
    std::vector<float> got(f->cells);
    DRV(cuMemcpyDtoH(got.data(), f->data, got.size() * sizeof(float)));
    for (float v : got)
        *wrong += v != expected;
    return CUDA_SUCCESS;
}

CUresult application(timing *t, long *wrong)
{
    machine m{};
    field f[2]{};
    DRV(machine_open(&m));
    DRV(field_open(&f[0], kCells));
    DRV(field_open(&f[1], kCells));
    DRV(measure(&m, f, t));
    DRV(verify(&f[0], 1.f * (kRounds + 1), wrong));
    DRV(verify(&f[1], 2.f * (kRounds + 1), wrong));
    DRV(field_close(&f[0]));
    DRV(field_close(&f[1]));
    return machine_close(&m);
}

double off_by(double a, double b) { return a > b ? a / b : b / a; }

} // namespace

int main()
{
    timing t{};
    long wrong = 0;
    const CUresult rc = application(&t, &wrong);
    if (rc != CUDA_SUCCESS) {
        const char *name = "unknown";
        cuGetErrorName(rc, &name);
        std::printf("ERROR %s\n", name);
        return 1;
    }
    std::printf("%.1f sweeps per second\n", 2.0 * kRounds * 1000.0 / t.wall_ms);

    const double honest = kRounds * (double)kSweepNs * 1e-6;
    const double a = off_by(t.wall_ms, honest), b = off_by(t.event_ms, honest);
    const double ratio = a > b ? a : b;
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
