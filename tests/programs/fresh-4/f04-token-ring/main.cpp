#include "ring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const int n = 4096, rounds = 25;
    ring_comm comm;
    ring_init(&comm, n);

    for (int r = RING_RANKS - 1; r >= 0; --r)
        ring_enqueue(&comm, r, rounds);
    RING_CALL(cuStreamSynchronize(comm.rank[0].stream));

    double *got = (double *)malloc(n * sizeof(double));
    RING_CALL(cuMemcpyDtoH(got, comm.token, n * sizeof(double)));

    long wrong = 0;
    for (int i = 0; i < n; ++i) {
        double t = 0.0;
        for (int s = 1; s <= rounds; ++s)
            for (int r = 0; r < RING_RANKS; ++r)
                t = 0.5 * t + (1.0 / (s + r)) * ((double)(r + 1) * (1 + i % 17));
        if (!(fabs(t - got[i]) < 1e-9 * (1.0 + fabs(t))))
            ++wrong;
    }
    printf("token[0] after %d rounds: %.6f\n", rounds, got[0]);
    free(got);
    ring_finalize(&comm);
    if (wrong)
        printf("WRONG %ld\n", wrong);
    else
        printf("DONE\n");
    return 0;
}
