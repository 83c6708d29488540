#ifndef ALIGNER_H
#define ALIGNER_H

#include <cuda_runtime.h>
#include <stddef.h>

enum { kKmer = 16 };

typedef struct {
    int lanes;               /* pairs of thread blocks */
    unsigned int trays;      /* per lane and pass      */
    size_t bases;            /* length of the genome   */
} plan_t;

typedef struct aligner aligner_t;

typedef struct {
    unsigned long long score;
    unsigned int best;
    unsigned int seen;
} tally_t;

/* 0 on success, otherwise the cudaError_t of the call that failed. */
int aligner_open(aligner_t **out, const plan_t *plan);
int aligner_pass(aligner_t *a, const unsigned char *pinned_genome, unsigned int salt);
int aligner_collect(aligner_t *a, tally_t *per_lane);
void aligner_close(aligner_t *a);
int aligner_max_lanes(int *lanes);

/* shared arithmetic */
#ifdef __CUDACC__
#define SHARED __host__ __device__
#else
#define SHARED
#endif

SHARED static inline unsigned long long kmer_key(const unsigned char *g, unsigned int salt)
{
    unsigned long long h = 1469598103934665603ull ^ salt;
    for (int i = 0; i < kKmer; ++i) {
        h ^= g[i];
        h *= 1099511628211ull;
    }
    return h;
}

SHARED static inline unsigned int key_weight(unsigned long long key)
{
    return (unsigned int)(key >> 40) & 0xffu;
}

SHARED static inline unsigned int extend_score(unsigned long long key, unsigned int position)
{
    unsigned long long x = key ^ ((unsigned long long)position * 0x9e3779b97f4a7c15ull);
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 32;
    return (unsigned int)x & 0xffffu;
}

#endif
