#include "engine.h"

#include <atomic>
#include <thread>

namespace {

__global__ void decode_worker(Mailbox* boxes)
{
    __shared__ unsigned op;
    __shared__ int token, position;
    __shared__ float* page;
    __shared__ float part[kHeadDim];

    Mailbox& box = boxes[blockIdx.x];
    const int t = threadIdx.x;

    for (unsigned seen = 0;; ++seen) {
        if (t == 0) {
            while (box.ticket == seen)
                __nanosleep(500);
            __threadfence_system();
            op = box.op;
            token = box.token;
            position = box.position;
            page = box.page;
        }
        __syncthreads();

        if (op == static_cast<unsigned>(Op::append)) {
            page[position * kHeadDim + t] = static_cast<float>((token * 31 + t) % 17);
        } else if (op == static_cast<unsigned>(Op::attend)) {
            float s = 0.f;
            for (int p = 0; p < position; ++p)
                s += page[p * kHeadDim + t];
            part[t] = s;
            __syncthreads();
            for (int w = kHeadDim / 2; w > 0; w /= 2) {
                if (t < w)
                    part[t] += part[t + w];
                __syncthreads();
            }
            if (t == 0)
                box.score = part[0];
        }
        __syncthreads();
        const bool leave = op == static_cast<unsigned>(Op::quit);
        __syncthreads();
        if (t == 0) {
            __threadfence_system();
            box.served = seen + 1;
        }
        if (leave)
            return;
    }
}

} // namespace

DecodeEngine::DecodeEngine()
{
    void* p = nullptr;
    expect_ok(cudaHostAlloc(&p, sizeof(Mailbox) * kLanes, cudaHostAllocMapped));
    boxes_ = static_cast<Mailbox*>(p);
    for (int i = 0; i < kLanes; ++i) {
        boxes_[i].ticket = 0;
        boxes_[i].served = 0;
    }
    expect_ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

DecodeEngine::~DecodeEngine()
{
    stop();
    cudaStreamDestroy(stream_);
    cudaFreeHost(boxes_);
}

void DecodeEngine::start()
{
    Mailbox* dev = nullptr;
    expect_ok(cudaHostGetDevicePointer(reinterpret_cast<void**>(&dev), boxes_, 0));
    decode_worker<<<kLanes, kHeadDim, 0, stream_>>>(dev);
    expect_ok(cudaGetLastError());
    running_ = true;
}

void DecodeEngine::stop()
{
    if (!running_)
        return;
    running_ = false;
    Request bye;
    bye.op = Op::quit;
    for (int lane = 0; lane < kLanes; ++lane)
        post(lane, bye);
    expect_ok(cudaStreamSynchronize(stream_));
}

void DecodeEngine::post(int lane, const Request& r)
{
    Mailbox& b = boxes_[lane];
    b.op = static_cast<unsigned>(r.op);
    b.page = r.page;
    b.token = r.token;
    b.position = r.position;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    b.ticket = ++tickets_[lane];
}

float DecodeEngine::wait(int lane)
{
    Mailbox& b = boxes_[lane];
    while (b.served != tickets_[lane])
        std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return b.score;
}
