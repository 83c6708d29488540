#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aligner.h"

enum { kPasses = 4, kTrays = 60, kTrayWidth = 128 };

static int report_error(int rc)
{
    printf("ERROR %s\n", cudaGetErrorName((cudaError_t)rc));
    return 1;
}

static void synthesize(unsigned char *g, size_t n, unsigned int seed)
{
    unsigned int x = seed * 2654435761u + 12345u;
    for (size_t i = 0; i < n; ++i) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        g[i] = (unsigned char)("ACGT"[x >> 30]);
    }
}

static void reference(const unsigned char *g, unsigned int salt, int lanes, tally_t *t)
{
    for (int l = 0; l < lanes; ++l) {
        const unsigned int first = (unsigned int)l * kTrays * kTrayWidth;
        for (unsigned int i = 0; i < (unsigned int)kTrays * kTrayWidth; ++i) {
            const unsigned int position = first + i;
            const unsigned long long key = kmer_key(g + position, salt);
            if (key_weight(key) < salt % 64u) continue;
            const unsigned int e = extend_score(key, position);
            t[l].score += e;
            t[l].seen += 1;
            if (e > t[l].best) t[l].best = e;
        }
    }
}

int main(void)
{
    int rc, lanes = 0;
    rc = aligner_max_lanes(&lanes);
    if (rc) return report_error(rc);
    if (lanes > 48) lanes = 48;

    plan_t plan;
    plan.lanes = lanes;
    plan.trays = kTrays;
    plan.bases = (size_t)lanes * kTrays * kTrayWidth;

    unsigned char *genome = NULL;
    rc = (int)cudaMallocHost((void **)&genome, plan.bases + kKmer);
    if (rc) return report_error(rc);
    tally_t *want = (tally_t *)calloc((size_t)lanes, sizeof *want);
    tally_t *got = (tally_t *)calloc((size_t)lanes, sizeof *got);

    aligner_t *a = NULL;
    rc = aligner_open(&a, &plan);
    if (rc) return report_error(rc);

    for (unsigned int pass = 0; pass < kPasses; ++pass) {
        const unsigned int salt = 17u + 29u * pass;
        synthesize(genome, plan.bases + kKmer, pass + 1);
        rc = aligner_pass(a, genome, salt);
        if (rc) return report_error(rc);
        reference(genome, salt, lanes, want);
    }
    rc = aligner_collect(a, got);
    if (rc) return report_error(rc);

    long wrong = 0;
    for (int l = 0; l < lanes; ++l) {
        wrong += got[l].score != want[l].score;
        wrong += got[l].best != want[l].best;
        wrong += got[l].seen != want[l].seen;
    }
    aligner_close(a);
    cudaFreeHost(genome);
    free(want);
    free(got);
    if (wrong) {
        printf("WRONG %ld\n", wrong);
        return 1;
    }
    printf("DONE\n");
    return 0;
}
