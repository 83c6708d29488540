#include "engine.h"

static unsigned sample(int job, int i)
{
    unsigned h = (unsigned)job * 374761393u + (unsigned)i * 668265263u;
    return (h ^ (h >> 13)) * 1274126177u;
}

static unsigned expected(int job)
{
    unsigned acc = 0;
    for (int i = 0; i < SAMPLES; i++)
        acc += sample(job, i) * (unsigned)(i + 1);
    return acc;
}

int main(void)
{
    const int jobs = 50;
    engine e;
    unsigned got[64], tally[2], sum = 0;
    engine_open(&e);
    for (int job = 0; job < jobs; job++) {
        if (job >= SLOTS)
            got[job - SLOTS] = engine_collect(&e, job - SLOTS);
        unsigned *dst = engine_slot(&e, job);
        for (int i = 0; i < SAMPLES; i++)
            dst[i] = sample(job, i);
        engine_post(&e, job);
    }
    for (int job = jobs - SLOTS; job < jobs; job++)
        got[job] = engine_collect(&e, job);
    engine_close(&e, tally);

    int wrong = 0;
    for (int job = 0; job < jobs; job++) {
        unsigned want = expected(job);
        wrong += got[job] != want;
        sum += want;
    }
    wrong += tally[0] != (unsigned)jobs;
    wrong += tally[1] != sum;
    if (wrong) {
        printf("WRONG %d\n", wrong);
        return 2;
    }
    printf("DONE\n");
    return 0;
}
