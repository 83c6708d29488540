#include "wht.h"

#include <chrono>
#include <vector>

typedef struct {
    cudaStream_t stream;
    cudaEvent_t start;
    cudaEvent_t stop;
} bench_clock;

void clock_create(bench_clock *c, cudaStream_t stream);
void clock_destroy(bench_clock *c);
void clock_start(bench_clock *c);
void clock_stop(bench_clock *c);
double clock_ms(bench_clock *c);

/* Milliseconds for reps transforms of all plans, by the device clock. */
double bench_transforms(bench_clock *c, wht_plan *plans, int nplans, int reps);

void clock_create(bench_clock *c, cudaStream_t stream)
{
    c->stream = stream;
    GPU(cudaEventCreate(&c->start));
    GPU(cudaEventCreate(&c->stop));
}

void clock_destroy(bench_clock *c)
{
    GPU(cudaEventDestroy(c->start));
    GPU(cudaEventDestroy(c->stop));
}

void clock_start(bench_clock *c)
{
    GPU(cudaEventRecord(c->start, c->stream));
}

void clock_stop(bench_clock *c)
{
    GPU(cudaEventRecord(c->stop, c->stream));
}

double clock_ms(bench_clock *c)
{
    float ms = 0.0f;
    GPU(cudaEventSynchronize(c->stop));
    GPU(cudaEventElapsedTime(&ms, c->start, c->stop));
    return ms;
}

double bench_transforms(bench_clock *c, wht_plan *plans, int nplans, int reps)
{
    clock_start(c);
    for (int p = 1; p < nplans; ++p)
        GPU(cudaStreamWaitEvent(plans[p].lane, c->start, 0));
    for (int r = 0; r < reps; ++r)
        for (int p = 0; p < nplans; ++p)
            wht_execute(&plans[p]);
    for (int p = 1; p < nplans; ++p)
        wht_follow(&plans[p], c->stream);
    clock_stop(c);
    return clock_ms(c);
}

#define NPLANS 2
#define WARM_REPS 2
#define REPS 4

static const int kLog2n[NPLANS] = {11, 15};
static const unsigned long long kPassNs[NPLANS] = {1000000ULL, 3000000ULL};

static uint64_t sample(int plan, int i)
{
    return (uint64_t)((i * 37 + plan * 11) % 1021);
}

/* An even number of transforms is a multiple of the identity. */
static int check_plan(wht_plan *p, int plan, int transforms)
{
    const int n = 1 << p->log2n;
    std::vector<uint64_t> x(n);
    wht_download(p, x.data());
    int wrong = 0;
    for (int i = 0; i < n; ++i)
        wrong += x[i] != sample(plan, i) << (p->log2n * transforms / 2);
    return wrong;
}

int main(void)
{
    wht_plan plans[NPLANS];
    bench_clock clk;

    for (int p = 0; p < NPLANS; ++p) {
        wht_create(&plans[p], kLog2n[p], kPassNs[p]);
        std::vector<uint64_t> x((size_t)1 << kLog2n[p]);
        for (size_t i = 0; i < x.size(); ++i)
            x[i] = sample(p, (int)i);
        wht_upload(&plans[p], x.data());
    }
    clock_create(&clk, plans[0].lane);

    bench_transforms(&clk, plans, NPLANS, WARM_REPS);
    GPU(cudaDeviceSynchronize());

    const auto t0 = std::chrono::steady_clock::now();
    const double ms = bench_transforms(&clk, plans, NPLANS, REPS);
    GPU(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - t0;

    int wrong = 0;
    for (int p = 0; p < NPLANS; ++p)
        wrong += check_plan(&plans[p], p, WARM_REPS + REPS);
    fprintf(stderr, "%.1f transforms/s\n", 1e3 * NPLANS * REPS / ms);

    clock_destroy(&clk);
    for (int p = 0; p < NPLANS; ++p)
        wht_destroy(&plans[p]);

    const double ratio = wall.count() > ms ? wall.count() / ms : ms / wall.count();
    if (wrong)
        printf("WRONG %d\n", wrong);
    else if (ratio > 1.5)
        printf("SLOW %.2f\n", ratio);
    else
        printf("DONE\n");
    return wrong || ratio > 1.5;
}
