#include "domain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CELLS = 2048, TOTAL = CELLS * STRIPS, WARM = 3, STEPS = 10, REPEATS = 5, STEP_US = 5000 };

static void must(int e)
{
    if (e == cudaSuccess) return;
    printf("ERROR %s\n", cudaGetErrorName((cudaError_t)e));
    exit(1);
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void reference(uint32_t *cells, int steps)
{
    uint32_t *next = (uint32_t *)malloc(TOTAL * sizeof(*next));
    for (int k = 0; k < steps; k++) {
        for (int i = 0; i < TOTAL; i++)
            next[i] = cells[i] * 3u + (cells[(i + TOTAL - 1) % TOTAL] ^ cells[(i + 1) % TOTAL]);
        memcpy(cells, next, TOTAL * sizeof(*next));
    }
    free(next);
}

int main(void)
{
    static uint32_t start[TOTAL], got[TOTAL];
    struct domain d;
    double rate_ms[REPEATS], honest_ms[REPEATS];

    for (int i = 0; i < TOTAL; i++) start[i] = (uint32_t)i * 2246822519u;

    must(domain_open(&d, CELLS, STEP_US));
    must(domain_load(&d, start));
    must(domain_advance(&d, WARM));
    must(domain_wait(&d));

    for (int r = 0; r < REPEATS; r++) {
        const double begin = now_ms();
        must(domain_advance(&d, STEPS));
        must(domain_wait(&d));
        rate_ms[r] = (now_ms() - begin) / STEPS;
        must(cudaDeviceSynchronize());
        honest_ms[r] = (now_ms() - begin) / STEPS;
    }
    must(domain_store(&d, got));
    must(domain_close(&d));

    qsort(rate_ms, REPEATS, sizeof(double), by_value);
    qsort(honest_ms, REPEATS, sizeof(double), by_value);
    const double median = rate_ms[REPEATS / 2], honest = honest_ms[REPEATS / 2], ideal = STEP_US * 1e-3;
    fprintf(stderr, "%.3f ms/step, %.2f Mcells/s\n", median, TOTAL / median * 1e-3);

    int bad = 0;
    reference(start, WARM + STEPS * REPEATS);
    for (int i = 0; i < TOTAL; i++) bad += got[i] != start[i];

    if (bad)
        printf("WRONG %d\n", bad);
    else if (honest > 1.5 * median || median > 1.5 * ideal || ideal > 1.5 * median)
        printf("SLOW %.2f\n", honest > 1.5 * median ? honest / median : median > ideal ? median / ideal : ideal / median);
    else
        printf("DONE\n");
    return 0;
}
