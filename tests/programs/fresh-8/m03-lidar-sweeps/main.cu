/* Lidar odometry front end: frames stream in, sweeps are registered pairwise. */
#include "fuser.h"
#include <string.h>

typedef struct {
    int sweep;
    int ring_depth;
    int points;
    int frames;
} sensor_config;

typedef struct {
    int slot[FUSER_MAX_FRAMES];
    int n;
} frame_list;

__global__ void register_sweep(const unsigned *frames, int points, frame_list list,
                               unsigned long long *out)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0) :: "memory");
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory");
    } while (t - t0 < 5000000ull);
    unsigned long long sum = 0;
    for (int k = 0; k < list.n; k++)
        for (int i = threadIdx.x; i < points; i += blockDim.x)
            sum += frames[(size_t)list.slot[k] * points + i];
    atomicAdd(out, sum);
}

void fuser_push(fuser *f, unsigned seq)
{
    if (f->gathered == 0)
        f->first = seq;
    ring_acquire(f->ring, seq, f->stream);
    if (++f->gathered < f->sweep)
        return;

    frame_list list;
    memset(&list, 0, sizeof list);
    for (int k = 0; k < f->sweep; k++)
        list.slot[list.n++] = ring_slot(f->ring, f->first + k);
    if (f->prev_first)
        for (int k = 0; k < f->sweep; k++)
            list.slot[list.n++] = ring_slot(f->ring, f->prev_first + k);
    register_sweep<<<1, 256, 0, f->stream>>>((const unsigned *)f->ring->frames, f->points, list,
                                             f->d_out + f->out_count++);
    RT(cudaGetLastError());

    if (f->prev_first)
        for (int k = 0; k < f->sweep; k++)
            ring_retire(f->ring, f->prev_first + k, f->stream);
    f->prev_first = f->first;
    f->gathered = 0;
}

int main(void)
{
    const sensor_config cfg = { 4, 6, 16384, 24 };
    const size_t frame_bytes = (size_t)cfg.points * sizeof(unsigned);
    const int sweeps = cfg.frames / cfg.sweep;

    RT(cudaSetDevice(0));
    RT(cudaFree(0));
    cudaStream_t upload, compute;
    RT(cudaStreamCreateWithFlags(&upload, cudaStreamNonBlocking));
    RT(cudaStreamCreateWithFlags(&compute, cudaStreamNonBlocking));

    lidar_ring ring;
    ring_init(&ring, cfg.ring_depth, frame_bytes);

    unsigned *host;
    RT(cudaMallocHost(&host, frame_bytes * cfg.frames));
    for (int f = 0; f < cfg.frames; f++)
        for (int i = 0; i < cfg.points; i++)
            host[(size_t)f * cfg.points + i] = (unsigned)((f + 1) * 7 + i % 13);

    unsigned long long *d_out;
    RT(cudaMalloc(&d_out, sweeps * sizeof *d_out));
    RT(cudaMemset(d_out, 0, sweeps * sizeof *d_out));
    RT(cudaDeviceSynchronize());

    fuser fus;
    memset(&fus, 0, sizeof fus);
    fus.ring = &ring;
    fus.stream = compute;
    fus.sweep = cfg.sweep;
    fus.points = cfg.points;
    fus.d_out = d_out;

    for (unsigned seq = 1; seq <= (unsigned)cfg.frames; seq++) {
        CUdeviceptr dst = ring_open(&ring, seq, upload);
        DRV(cuMemcpyHtoDAsync(dst, host + (size_t)(seq - 1) * cfg.points, frame_bytes, upload));
        ring_publish(&ring, seq, upload);
        fuser_push(&fus, seq);
    }
    RT(cudaStreamSynchronize(compute));

    unsigned long long out[64];
    RT(cudaMemcpy(out, d_out, sweeps * sizeof *d_out, cudaMemcpyDeviceToHost));
    unsigned long long prev = 0;
    int wrong = 0;
    for (int s = 0; s < sweeps; s++) {
        unsigned long long own = 0;
        for (size_t i = 0; i < (size_t)cfg.sweep * cfg.points; i++)
            own += host[(size_t)s * cfg.sweep * cfg.points + i];
        if (out[s] != own + prev)
            wrong++;
        prev = own;
    }
    ring_fini(&ring);
    RT(cudaFree(d_out));
    RT(cudaFreeHost(host));
    if (wrong)
        printf("WRONG %d\n", wrong);
    else
        printf("DONE\n");
    return wrong != 0;
}
