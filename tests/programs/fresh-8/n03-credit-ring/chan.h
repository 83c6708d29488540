/* chan: a device-side ring between a producing and a consuming stream.
 *
 * The producer takes slots one by one and publishes them in bursts, so that the
 * two streams exchange one event per burst and not one per slot.  The consumer
 * returns slots one by one; returned slots are counted in a word on the device.
 */
#ifndef CHAN_H
#define CHAN_H

#include <cuda.h>
#include <cuda_runtime.h>
#include <stddef.h>

typedef struct chan {
    cudaStream_t producer;
    cudaStream_t consumer;
    cudaEvent_t  published;
    CUdeviceptr  returned;    /* slots handed back so far */
    char        *slots;
    size_t       slot_bytes;
    unsigned     depth;
    unsigned     burst;
    unsigned     n_taken;     /* by the producer */
    unsigned     n_read;      /* by the consumer */
    unsigned     n_returned;
} chan_t;

void  chan_open(chan_t *c, size_t slot_bytes, size_t budget_bytes, unsigned burst,
                cudaStream_t producer, cudaStream_t consumer);
void *chan_take(chan_t *c);
void  chan_publish(chan_t *c);
void *chan_read(chan_t *c);
void  chan_return(chan_t *c);
void  chan_close(chan_t *c);

void die_rt(cudaError_t e);
void die_drv(CUresult r);
#define RT(x)  do { cudaError_t e_ = (x); if (e_ != cudaSuccess) die_rt(e_); } while (0)
#define DRV(x) do { CUresult r_ = (x); if (r_ != CUDA_SUCCESS) die_drv(r_); } while (0)

#endif
