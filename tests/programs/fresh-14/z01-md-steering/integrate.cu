#include "md.h"

/* Kick-drift-kick for atoms bound to lattice sites; one block owns all atoms. */
__global__ void integrate_resident(float2 *state, float2 *snap, steer_t *mail)
{
    __shared__ float s_scale;
    float dt = BASE_DT;

    for (int epoch = 1; epoch <= N_EPOCHS; ++epoch) {
        for (int i = threadIdx.x; i < N_ATOMS; i += blockDim.x) {
            float2 q = state[i];
            for (int s = 0; s < STEPS_PER_EPOCH; ++s) {
                q.y -= 0.5f * dt * q.x;
                q.x += dt * q.y;
                q.y -= 0.5f * dt * q.x;
            }
            state[i] = q;
            snap[i] = q;
        }
        __threadfence_system();
        __syncthreads();

        if (threadIdx.x == 0) {
            mail->reached = epoch;
            __threadfence_system();
            while (mail->granted < epoch)
                __nanosleep(500);
            s_scale = mail->dt_scale;
        }
        __syncthreads();
        dt = BASE_DT * s_scale;
        __syncthreads();
    }
}

extern "C" cudaError_t md_start_integrator(float2 *state, float2 *snap, steer_t *mail,
                                           cudaStream_t stream)
{
    integrate_resident<<<1, 256, 0, stream>>>(state, snap, mail);
    return cudaGetLastError();
}
