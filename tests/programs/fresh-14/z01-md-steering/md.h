/* Shared declarations of the steered molecular dynamics mini-app. */
#ifndef MD_H
#define MD_H

#include <cuda_runtime.h>

#define N_ATOMS          4096
#define STEPS_PER_EPOCH  64
#define N_EPOCHS         6
#define N_SPECIES        4
#define BASE_DT          0.01f

/* Mailbox between the integrator and the steering loop, in mapped host memory. */
typedef struct {
    volatile int   reached;   /* last epoch the integrator has published */
    volatile int   granted;   /* last epoch the steering loop has released */
    volatile float dt_scale;  /* time step factor for the next epoch */
} steer_t;

#ifdef __cplusplus
extern "C" {
#endif

cudaError_t md_start_integrator(float2 *state, float2 *snap, steer_t *mail, cudaStream_t stream);
cudaError_t md_energy(const float2 *snap, double *d_energy, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
