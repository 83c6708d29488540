/* comm.cpp - halo exchange with stream memory operations */
#include "ring.h"

void ring_abort(const char *name) {
    printf("ERROR %s\n", name);
    fflush(stdout);
    _Exit(2);
}

void ring_abort_driver(CUresult r) {
    const char *name = nullptr;
    cuGetErrorName(r, &name);
    ring_abort(name ? name : "CUDA_ERROR_UNKNOWN");
}

void ring_init(struct ring_comm *c) {
    RUN(cudaMalloc(&c->flag_block, NRANK * 2 * sizeof(unsigned)));
    RUN(cudaMemset(c->flag_block, 0, NRANK * 2 * sizeof(unsigned)));
    RUN(cudaMalloc(&c->halo_block, 2 * NRANK * 2 * sizeof(double)));
    double *h = c->halo_block;
    for (int r = 0; r < NRANK; ++r)
        for (int s = 0; s < 2; ++s) {
            c->flag[r][s] = (CUdeviceptr)c->flag_block + (2 * r + s) * sizeof(unsigned);
            c->halo[0][r][s] = h++;
            c->halo[1][r][s] = h++;
        }
}

double *ring_buffer(struct ring_comm *c, int rank, enum ring_side side, unsigned epoch) {
    return c->halo[epoch & 1][rank][side];
}

void ring_post(struct ring_comm *c, int rank, unsigned epoch, cudaStream_t st) {
    DRIVE(cuStreamWriteValue32(st, c->flag[rank][LEFT], epoch, CU_STREAM_WRITE_VALUE_DEFAULT));
    DRIVE(cuStreamWriteValue32(st, c->flag[rank][RIGHT], epoch, CU_STREAM_WRITE_VALUE_DEFAULT));
}

void ring_receive(struct ring_comm *c, int rank, unsigned epoch, cudaStream_t st) {
    DRIVE(cuStreamWaitValue32(st, c->flag[ring_left(rank)][RIGHT], epoch,
                              CU_STREAM_WAIT_VALUE_GEQ));
    DRIVE(cuStreamWaitValue32(st, c->flag[ring_right(rank)][LEFT], epoch,
                              CU_STREAM_WAIT_VALUE_GEQ));
}

double ring_allreduce(struct ring_comm *c, int rank, double value) {
    std::unique_lock<std::mutex> g(c->lock);
    c->partial[rank] = value;
    const unsigned mine = c->generation;
    if (++c->inside == NRANK) {
        double t = 0.0;
        for (int r = 0; r < NRANK; ++r)
            t += c->partial[r];
        c->total = t;
        c->inside = 0;
        ++c->generation;
        c->turn.notify_all();
    } else {
        c->turn.wait(g, [&] { return c->generation != mine; });
    }
    return c->total;
}
