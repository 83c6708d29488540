/*
 * tc_main.cu - four sessions run the same two stages side by side
 */
#include "tc_cfg.h"
#include <stdio.h>
#include <time.h>

static double now_s(void)
{
    struct timespec ts;

    (void)clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + ((double)ts.tv_nsec * 1.0e-9);
}

int main(void)
{
    const double chain_s = (double)(TC_FRAMES * TC_MAX_STAGES) * (double)TC_STAGE_NS * 1.0e-9;
    double ratio = 0.0;
    uint32_t wrong;
    cudaError_t rc = tc_open_all();

    if (rc == cudaSuccess) {
        rc = tc_run(1U);
    }
    if (rc == cudaSuccess) {
        const double t0 = now_s();
        rc = tc_run(TC_FRAMES);
        ratio = (now_s() - t0) / chain_s;
    }
    if (rc != cudaSuccess) {
        (void)printf("ERROR %s\n", cudaGetErrorName(rc));
        return 1;
    }
    wrong = tc_compare(TC_FRAMES + 1U);
    tc_close_all();
    if (wrong != 0U) {
        (void)printf("WRONG %u\n", (unsigned)wrong);
    } else if (ratio > 1.5) {
        (void)printf("SLOW %.2f\n", ratio);
    } else {
        (void)printf("DONE\n");
    }
    return 0;
}
