#include "locoll.h"

namespace locoll {
namespace {

constexpr int kThreads = 512;

__device__ void post(const Board& board, int rank, unsigned long long tick) {
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&board.ticks[rank], tick);
}

__device__ void await(const Board& board, unsigned long long tick) {
    if (threadIdx.x < board.ranks) {
        volatile unsigned long long* seen = board.ticks + threadIdx.x;
        while (*seen < tick) {
            __nanosleep(100);
        }
    }
    __syncthreads();
    __threadfence();
}

__global__ void __launch_bounds__(kThreads) allReduceKernel(AllReduceArgs a) {
    unsigned long long tick = a.tick;
    int* mine = a.board.mailbox + static_cast<size_t>(a.rank) * kSlot;

    for (int base = 0; base < a.count; base += kSlot) {
        const int n = min(kSlot, a.count - base);
        for (int i = threadIdx.x; i < n; i += kThreads) mine[i] = a.in[base + i];
        post(a.board, a.rank, ++tick);
        await(a.board, tick);
        for (int i = threadIdx.x; i < n; i += kThreads) {
            long long sum = 0;
            for (int r = 0; r < a.board.ranks; ++r) {
                sum += __ldcg(a.board.mailbox + static_cast<size_t>(r) * kSlot + i);
            }
            a.acc[base + i] = sum;
        }
        post(a.board, a.rank, ++tick);
        await(a.board, tick);
    }

    for (int i = threadIdx.x; i < a.count; i += kThreads) {
        const long long s = a.acc[i];
        a.out[i] = s > 2147483647LL    ? 2147483647
                   : s < -2147483648LL ? -2147483647 - 1
                                       : static_cast<int>(s);
    }
}

}  // namespace

void prepareKernels() {
    cudaFuncAttributes attributes;
    LOCOLL_CALL(cudaFuncGetAttributes(&attributes, allReduceKernel));
    if (attributes.maxThreadsPerBlock < kThreads) throw Failure(cudaErrorLaunchOutOfResources);
}

void launchAllReduce(const AllReduceArgs& args, cudaStream_t stream) {
    allReduceKernel<<<1, kThreads, 0, stream>>>(args);
    LOCOLL_CALL(cudaGetLastError());
}

unsigned long long ticksOf(int count) { return 2ull * ((count + kSlot - 1) / kSlot); }

}  // namespace locoll
