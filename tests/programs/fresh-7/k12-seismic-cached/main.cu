#include <chrono>
#include <cstdio>

#include "migration.h"

static const int LANES = 4;
static const int SHOTS = 16;

typedef std::chrono::steady_clock Clock;

static double Milliseconds(Clock::time_point from)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
}

int main()
{
    cudaStream_t lanes[LANES];
    for (int l = 0; l < LANES; ++l)
        Check(cudaStreamCreateWithFlags(&lanes[l], cudaStreamNonBlocking));

    double lone = 0, survey = 0;
    long wrong = 0;
    {
        CachingAllocator allocator(LANES * sizeof(unsigned) * TRACES * SAMPLES);
        Migration migration(allocator, SHOTS);

        for (int l = 0; l < LANES; ++l)
            migration.Shot(l, lanes[l]);
        Check(cudaDeviceSynchronize());

        Clock::time_point start = Clock::now();
        migration.Shot(0, lanes[0]);
        Check(cudaStreamSynchronize(lanes[0]));
        lone = Milliseconds(start);

        start = Clock::now();
        for (int s = 0; s < SHOTS; ++s)
            migration.Shot(s, lanes[s % LANES]);
        for (int l = 0; l < LANES; ++l)
            Check(cudaStreamSynchronize(lanes[l]));
        survey = Milliseconds(start);

        wrong = migration.CountWrong();
    }
    for (int l = 0; l < LANES; ++l)
        Check(cudaStreamDestroy(lanes[l]));

    const double ratio = survey / (lone * SHOTS / LANES);
    if (wrong)
        printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        printf("SLOW %.2f\n", ratio);
    else
        printf("DONE\n");
    return wrong || ratio > 1.5;
}
