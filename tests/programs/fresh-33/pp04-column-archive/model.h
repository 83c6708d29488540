/* model.h - column climate model with a history archive
 * The model advances temperature and humidity of a set of independent
 * columns in place.  Everything that is not dynamics hangs on hooks, which
 * run after a step in the order in which they were added.
 */
#ifndef MODEL_H
#define MODEL_H
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define NCOL        4096
#define NSTEP       32
#define NHIST       4                   /* steps between history records */
#define NSLOT       3                   /* records in flight             */
#define NREC        (2 * NCOL)          /* values of a record            */
#define MAXHOOK     8
#define PHYS_NS     2000000LL           /* device time of one step       */
#define REGRID_NS   15000000LL          /* device time of the regridding */

[[noreturn]] static inline void model_die(const char *name) {
    printf("ERROR %s\n", name);
    fflush(stdout);
    _Exit(2);
}
#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) model_die(cudaGetErrorName(e_)); } while (0)

struct model_state {
    double      *temp;
    double      *humid;
    cudaStream_t dyn;
    int          step;
};

typedef void (*hook_fn)(struct model_state *);
struct hook { const char *name; hook_fn fn; int every; };

void model_init(struct model_state *m);
void model_add_hook(const char *name, hook_fn fn, int every);
void model_step(struct model_state *m);
void model_final(struct model_state *m);
void history_init(void);
void history_write(struct model_state *m);
void history_hold(struct model_state *m);
void history_final(void);

/* io.cpp : one thread that stores records */
struct io_slot {
    int     step;
    float  *device;
    float  *stage;                      /* page locked */
    void  (*on_stored)(struct io_slot *);
    bool    busy;
};
void io_open(void);
struct io_slot *io_acquire(struct io_slot *slots, int n);
void io_submit(struct io_slot *slot);
void io_release(struct io_slot *slot);
void io_close(void);

struct io_record { int step; std::vector<float> values; };
const std::vector<struct io_record> &io_archive(void);
long verify_archive(const std::vector<struct io_record> &archive);
#endif
