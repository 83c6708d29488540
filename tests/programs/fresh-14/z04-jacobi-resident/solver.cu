#include "solver.cuh"

#include <cooperative_groups.h>

#include <algorithm>

namespace cg = cooperative_groups;

namespace poisson {
namespace {

__global__ void jacobi(System sys, Mailbox* mail)
{
    extern __shared__ float tile[];
    cg::grid_group grid = cg::this_grid();

    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int t = threadIdx.x + 1;
    float* cur = sys.x0;
    float* nxt = sys.x1;

    for (int checkpoint = 1;; ++checkpoint) {
        for (int s = 0; s < kSweeps; ++s) {
            tile[t] = cur[i];
            if (threadIdx.x == 0)
                tile[0] = i > 0 ? cur[i - 1] : 0.0f;
            if (threadIdx.x == blockDim.x - 1)
                tile[t + 1] = i + 1 < kUnknowns ? cur[i + 1] : 0.0f;
            __syncthreads();
            nxt[i] = 0.25f * (sys.rhs[i] + tile[t - 1] + tile[t + 1]);
            grid.sync();
            float* swap = cur;
            cur = nxt;
            nxt = swap;
        }
        sys.snapshot[i] = cur[i];
        grid.sync();

        if (grid.thread_rank() == 0) {
            __threadfence_system();
            mail->published = checkpoint;
            int v;
            do {
                v = mail->verdict;
            } while (v != kStop && v < checkpoint);
            *sys.go = v != kStop;
            __threadfence();
        }
        grid.sync();
        if (*static_cast<volatile int*>(sys.go) == 0)
            break;
    }
}

}  // namespace

void launch_resident_solver(System sys, Mailbox* mail, cudaStream_t stream)
{
    const size_t shared = (kThreads + 2) * sizeof(float);
    int device = 0, sms = 0, per_sm = 0, cooperative = 0;
    CUDA_TRY(cudaGetDevice(&device));
    CUDA_TRY(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device));
    CUDA_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, jacobi, kThreads, shared));
    if (!cooperative || per_sm * sms < kBlocks)
        CUDA_TRY(cudaErrorCooperativeLaunchTooLarge);

    void* args[] = {&sys, &mail};
    CUDA_TRY(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(jacobi), dim3(kBlocks),
                                         dim3(kThreads), args, shared, stream));
}

}  // namespace poisson
