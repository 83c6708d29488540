/* ring.h - plasma on a ring, one thread per rank
 * The communicator imitates the calls of the MPI version: a rank posts its
 * halo and receives those of its two neighbours, all in stream order.
 */
#ifndef RING_H
#define RING_H
#include <cuda.h>
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>
#define NRANK     4
#define NCELL     2048                  /* cells of a rank            */
#define NSTEP     48
#define NDIAG     8                     /* steps between diagnostics  */
#define ADVANCE_NS 2000000LL            /* device time of an advance  */
#define RUN(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) ring_abort(cudaGetErrorName(e_)); } while (0)
#define DRIVE(call) do { CUresult d_ = (call); if (d_ != CUDA_SUCCESS) ring_abort_driver(d_); } while (0)

[[noreturn]] void ring_abort(const char *name);
[[noreturn]] void ring_abort_driver(CUresult r);

enum ring_side { LEFT = 0, RIGHT = 1 };

struct ring_comm {
    CUdeviceptr flag[NRANK][2];         /* epoch of the posted halo   */
    double     *halo[2][NRANK][2];      /* [parity][rank][side]       */
    void       *flag_block;
    double     *halo_block;
    std::mutex              lock;
    std::condition_variable turn;
    int                     inside;
    unsigned                generation;
    double                  partial[NRANK];
    double                  total;
};

void   ring_init(struct ring_comm *c);
double *ring_buffer(struct ring_comm *c, int rank, enum ring_side side, unsigned epoch);
void   ring_post(struct ring_comm *c, int rank, unsigned epoch, cudaStream_t st);
void   ring_receive(struct ring_comm *c, int rank, unsigned epoch, cudaStream_t st);
double ring_allreduce(struct ring_comm *c, int rank, double value);

static inline int ring_left(int rank)  { return (rank + NRANK - 1) % NRANK; }
static inline int ring_right(int rank) { return (rank + 1) % NRANK; }

/* plasma.cu */
struct rank_state {
    int          rank;
    cudaStream_t stream;
    double      *f, *g;                 /* distribution, two levels   */
    double      *moment_dev, *moment_host;
    std::vector<double> history;
};
void plasma_create(struct rank_state *s, int rank);
void plasma_restart(struct rank_state *s);
void plasma_pack(struct rank_state *s, double *left, double *right);
void plasma_advance(struct rank_state *s, const double *left, const double *right);
void plasma_moment(struct rank_state *s);
double plasma_initial(int cell);
#endif
