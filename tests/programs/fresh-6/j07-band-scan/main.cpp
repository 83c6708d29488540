// Particle binning: bands of cells count their particles in parallel, one scan over the
// whole field gives every cell its first slot, and the bands place their particles.
#include "field.h"
#include <cstdio>
#include <cstdlib>

#define OK(call)                                            \
    do {                                                    \
        int rc_ = (call);                                   \
        if (rc_) {                                          \
            printf("ERROR %s\n", field_strerror(rc_));      \
            return 1;                                       \
        }                                                   \
    } while (0)

int main()
{
    const int n = 300000, bands = 4, rounds = 5;
    field_t *f = NULL;
    OK(field_create(n, bands, &f));
    int *host = (int *)malloc(sizeof(int) * n);

    long wrong = 0;
    for (int r = 0; r < rounds; ++r) {
        long total = 0;
        OK(field_fill(f, r));
        OK(field_index(f, &total));
        OK(field_place(f));
        OK(field_fetch(f, host));

        int run = 0;
        for (int i = 0; i < n; ++i) {
            const int w = field_weight(i, r);
            if (host[i] != run * 2 + (w & 1))
                wrong++;
            run += w;
        }
        if (run != total)
            wrong++;
    }

    field_destroy(f);
    free(host);
    if (wrong)
        printf("WRONG %ld\n", wrong);
    else
        printf("DONE\n");
    return 0;
}
