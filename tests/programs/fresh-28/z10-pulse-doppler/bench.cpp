#include <chrono>
#include <cstdio>
#include "radar.h"

namespace {

constexpr int kDwells = 6;

cudaError_t timedRun(radar *r, float *ms, double *wall)
{
    using Clock = std::chrono::steady_clock;
    stopwatch watch;
    RADAR_RETURN(stopwatch_init(&watch));
    RADAR_RETURN(radar_dwell(r));
    RADAR_RETURN(cudaDeviceSynchronize());

    RADAR_RETURN(stopwatch_start(&watch));
    for (int d = 0; d < kDwells; ++d) RADAR_RETURN(radar_dwell(r));
    RADAR_RETURN(stopwatch_stop(&watch, ms));
    stopwatch_free(&watch);

    const Clock::time_point begin = Clock::now();
    for (int d = 0; d < kDwells; ++d) RADAR_RETURN(radar_dwell(r));
    RADAR_RETURN(cudaDeviceSynchronize());
    *wall = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    return radar_fetch(r);
}

int countWrong(const radar *r)
{
    int wrong = 0;
    for (int b = 0; b < RADAR_BEAMS; ++b)
        for (int g = 0; g < RADAR_GATES; ++g) {
            int sum = 0;
            for (int p = 0; p < RADAR_PULSES; ++p) {
                int c = radar_echo(b, p, g) + 2 * radar_echo(b, p, (g + 1) % RADAR_GATES);
                sum += c * ((p & 1) ? -1 : 3);
            }
            wrong += r->report[b * RADAR_GATES + g] != sum;
        }
    return wrong;
}

}  // namespace

int main()
{
    radar r;
    float ms = 0.f;
    double wall = 0.0;
    cudaError_t e = radar_open(&r);
    if (e == cudaSuccess) e = timedRun(&r, &ms, &wall);
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        return 1;
    }
    const int wrong = countWrong(&r);
    radar_close(&r);
    std::fprintf(stderr, "%.2f ms per dwell (wall %.2f)\n", ms / kDwells, wall / kDwells);

    const double ratio = wall > ms ? wall / ms : ms / wall;
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
