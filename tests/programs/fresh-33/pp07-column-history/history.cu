/* history.cu - history records
 * A record is regridded and packed to single precision on a stream of its
 * own, copied to a staging slot and handed to the I/O thread.
 */
#include "model.h"
#include "device_clock.cuh"

static struct {
    cudaStream_t   out;
    cudaEvent_t    state;               /* the step is complete    */
    cudaEvent_t    packed;              /* the record is packed    */
    struct io_slot slots[NSLOT];
} hist;

__global__ void k_regrid(float *rec, const double *temp, const double *humid, int n,
                         long long ns) {
    device_until(device_ns(), ns);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        rec[2 * i] = (float)temp[i];
        rec[2 * i + 1] = (float)humid[i];
    }
}

static void CUDART_CB record_arrived(void *arg) {
    io_submit((struct io_slot *)arg);
}

void history_init(void) {
    CHECK(cudaStreamCreateWithFlags(&hist.out, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&hist.state, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&hist.packed, cudaEventDisableTiming));
    for (int k = 0; k < NSLOT; ++k) {
        struct io_slot *s = &hist.slots[k];
        s->on_stored = io_release;
        CHECK(cudaMalloc(&s->device, NREC * sizeof(float)));
        CHECK(cudaMallocHost(&s->stage, NREC * sizeof(float)));
    }
}

void history_write(struct model_state *m) {
    struct io_slot *s = io_acquire(hist.slots, NSLOT);
    s->step = m->step;
    CHECK(cudaEventRecord(hist.state, m->dyn));
    CHECK(cudaStreamWaitEvent(hist.out, hist.state, 0));
    k_regrid<<<NCOL / 256, 256, 0, hist.out>>>(s->device, m->temp, m->humid, NCOL, REGRID_NS);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(hist.packed, hist.out));
    CHECK(cudaMemcpyAsync(s->stage, s->device, NREC * sizeof(float),
                          cudaMemcpyDeviceToHost, hist.out));
    CHECK(cudaLaunchHostFunc(hist.out, record_arrived, s));
}

/* Post-step hook, same period as history_write. */
void history_hold(struct model_state *m) {
    CHECK(cudaStreamWaitEvent(m->dyn, hist.packed, 0));
}

void history_final(void) {
    CHECK(cudaStreamSynchronize(hist.out));
    io_close();
}
