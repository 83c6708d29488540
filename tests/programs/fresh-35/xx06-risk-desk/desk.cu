#include "desk.h"

namespace risk {

namespace {

__device__ int largestOfWarp(int value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        const int other = __shfl_down_sync(0xffffffffu, value, offset);
        value = other > value ? other : value;
    }
    return value;
}

// True when an order has come, false when the session is over.
__device__ bool nextOrder(const Mailbox* box, unsigned served, volatile unsigned* closed) {
    while (box->posted == served) {
        if (*closed != 0) return false;
        __nanosleep(200);
    }
    __threadfence_system();
    return true;
}

__global__ void deskKernel(ChannelView channel, BookView book) {
    __shared__ Order order;
    __shared__ bool active;
    Mailbox* box = channel.boxes + blockIdx.x;

    for (unsigned served = 0;; ++served) {
        if (threadIdx.x == 0) {
            active = nextOrder(box, served, channel.closed);
            if (active) {
                order.account = box->account;
                order.quantity = box->quantity;
                order.price = box->price;
            }
        }
        __syncthreads();
        if (!active) return;

        const int worst = largestOfWarp(scenarioLoss(order, threadIdx.x));
        if (threadIdx.x == 0) {
            const int after = atomicAdd(&book.exposure[order.account], worst) + worst;
            const bool accepted = after <= book.limit[order.account];
            if (!accepted) atomicSub(&book.exposure[order.account], worst);
            box->accepted = accepted ? 1 : 0;
            box->worstLoss = worst;
            __threadfence_system();
            box->answered = served + 1;
        }
        __syncthreads();
    }
}

}  // namespace

void startDesks(const ChannelView& channel, const BookView& book, cudaStream_t stream) {
    deskKernel<<<kDesks, kScenarios, 0, stream>>>(channel, book);
    GPU_MUST(cudaGetLastError());
}

}  // namespace risk
