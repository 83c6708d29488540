/* main.cu - processes a batch of shots, all lanes at once */
#include "shot.h"

#include <stdio.h>
#include <time.h>

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

/* submits shots [0, n) and returns the wall time in *ms */
static int run_batch(struct shot *v, int n, double *ms)
{
    double t0;
    int i;

    t0 = now_ms();
    for (i = 0; i < n; i++)
        if (shot_run(&v[i]) < 0)
            return -1;
    for (i = 0; i < n; i++)
        TRY(cudaStreamSynchronize(v[i].lane));
    *ms = now_ms() - t0;
    return 0;
fail:
    return -1;
}

int main(void)
{
    struct shot shots[NSHOTS];
    double warm = 0, solo = 0, batch = 0;
    long bad = 0;
    int opened = 0, rc = 1, i;

    for (i = 0; i < NSHOTS; i++) {
        if (shot_open(&shots[i], i) < 0)
            goto out;
        opened++;
    }

    if (run_batch(shots, 1, &warm) < 0)
        goto out;
    if (run_batch(shots, 1, &solo) < 0)
        goto out;
    if (run_batch(shots, NSHOTS, &batch) < 0)
        goto out;

    for (i = 0; i < NSHOTS; i++)
        bad += shot_check(&shots[i]);

    fprintf(stderr, "first %.1f ms, one shot %.1f ms, %d shots %.1f ms\n",
            warm, solo, NSHOTS, batch);
    rc = 0;
out:
    while (opened > 0)
        shot_close(&shots[--opened]);

    if (rc)
        printf("ERROR %s\n", cudaGetErrorName(shot_errno));
    else if (bad)
        printf("WRONG %ld\n", bad);
    else if (batch / solo > 1.5)
        printf("SLOW %.2f\n", batch / solo);
    else
        printf("DONE\n");
    return 0;
}
