#include "engine.cuh"

namespace gw {
namespace {

__global__ void serve(Mailbox* box, const long long* limits, unsigned long long* turnover) {
    __shared__ unsigned first, last;
    unsigned done = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            unsigned seen = box->posted;
            while (seen == done && box->closed == 0) {
                __nanosleep(400);
                seen = box->posted;
            }
            __threadfence_system();
            first = done;
            last = seen;
        }
        __syncthreads();
        const unsigned begin = first, end = last;
        if (begin == end) return;

        for (unsigned i = begin + threadIdx.x; i < end; i += blockDim.x) {
            const volatile Order& order = box->orders[i % kDepth];
            const long long notional = static_cast<long long>(order.quantity) * order.price;
            const int account = order.account;
            if (notional <= limits[account]) atomicAdd(turnover + account, static_cast<unsigned long long>(notional));
        }
        __syncthreads();
        for (unsigned i = begin + threadIdx.x; i < end; i += blockDim.x) {
            const volatile Order& order = box->orders[i % kDepth];
            volatile Verdict& verdict = box->verdicts[i % kDepth];
            const long long notional = static_cast<long long>(order.quantity) * order.price;
            const int account = order.account;
            verdict.id = order.id;
            verdict.accepted = notional <= limits[account] ? 1 : 0;
            verdict.turnover = static_cast<long long>(atomicAdd(turnover + account, 0ull));
        }
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) box->answered = end;
        done = end;
    }
}

}  // namespace

void Engine::start(cudaStream_t stream, Mailbox* mailbox, const long long* limits, unsigned long long* turnover) {
    serve<<<1, 256, 0, stream>>>(mailbox, limits, turnover);
    GW_CHECK(cudaGetLastError());
    stream_ = stream;
    mailbox_ = mailbox;
}

Engine::~Engine() {
    if (!mailbox_) return;
    mailbox_->closed = 1;
    GW_CHECK(cudaStreamSynchronize(stream_));
}

}  // namespace gw
