/* shot.h - data structures of the shot gather processor */
#ifndef SHOT_H
#define SHOT_H

#include <cuda_runtime.h>
#include <stddef.h>

#define NSAMP   2048
#define NTRACE  128
#define NPTS    (NSAMP * NTRACE)
#define NSHOTS  4
#define DWELL_NS 40000000ULL

/* how a block of host memory is obtained and given back */
struct mem_ops {
    const char *name;
    int  (*get)(void **p, size_t bytes);
    void (*put)(void *p);
};

struct shot {
    int          id;
    cudaStream_t lane;
    float       *field;      /* host, recorded field data      */
    float       *section;    /* host, processed section        */
    float       *d_field;
    float       *d_section;
    const struct mem_ops *field_mem;
    const struct mem_ops *section_mem;
};

typedef int (*stage_fn)(struct shot *s);

struct stage {
    const char *name;
    stage_fn    fn;
};

extern const struct mem_ops  mem_table[2];
#define MEM_DMA   0
#define MEM_HEAP  1

extern const struct stage stage_table[];
extern const int          stage_count;

int  shot_open(struct shot *s, int id);
void shot_close(struct shot *s);
int  shot_run(struct shot *s);
long shot_check(const struct shot *s);

extern cudaError_t shot_errno;

#define TRY(call)                                  \
    do {                                           \
        shot_errno = (call);                       \
        if (shot_errno != cudaSuccess) goto fail;  \
    } while (0)

#endif
