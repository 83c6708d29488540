// Low-latency task service: one block stays on the device and takes work from a mailbox in host memory.
#pragma once
#include "block_pool.h"

namespace mosaic {

enum class Op : int { Fill = 0, Affine = 1, Sum = 2 };

constexpr unsigned kSlots = 64;

struct Slot {
    int op;
    float* data;
    std::size_t n;
    float a, b;
    double result;
};

struct Mailbox {
    unsigned head;
    unsigned done;
    unsigned quit;
    Slot slots[kSlots];
};

__global__ void service_loop(volatile Mailbox* box) {
    __shared__ int go;
    __shared__ double partial[256];
    unsigned next = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            int state = -1;
            while (state < 0) {
                if (box->head != next)
                    state = 1;
                else if (box->quit)
                    state = 0;
                else
                    __nanosleep(200);
            }
            __threadfence_system();
            go = state;
        }
        __syncthreads();
        if (!go) return;
        volatile Slot* s = &box->slots[next % kSlots];
        const int op = s->op;
        float* data = s->data;
        const std::size_t n = s->n;
        const float a = s->a, b = s->b;
        double acc = 0.0;
        for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) {
            if (op == int(Op::Fill))
                data[i] = a;
            else if (op == int(Op::Affine))
                data[i] = data[i] * a + b;
            else
                acc += data[i];
        }
        partial[threadIdx.x] = acc;
        __syncthreads();
        for (int w = blockDim.x / 2; w > 0; w /= 2) {
            if (threadIdx.x < w) partial[threadIdx.x] += partial[threadIdx.x + w];
            __syncthreads();
        }
        ++next;
        if (threadIdx.x == 0) {
            if (op == int(Op::Sum)) s->result = partial[0];
            __threadfence_system();
            box->done = next;
        }
        __syncthreads();
    }
}

class TaskService {
public:
    TaskService() {
        check(cudaHostAlloc(reinterpret_cast<void**>(&box_), sizeof(Mailbox), cudaHostAllocMapped));
        *box_ = Mailbox{};
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~TaskService() {
        stop();
        cudaStreamDestroy(stream_);
        cudaFreeHost(box_);
    }

    void start() {
        Mailbox* dev = nullptr;
        check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&dev), box_, 0));
        service_loop<<<1, 256, 0, stream_>>>(dev);
        check(cudaGetLastError());
        running_ = true;
    }

    unsigned submit(Op op, float* data, std::size_t n, float a = 0.f, float b = 0.f) {
        while (head_ - __atomic_load_n(&box_->done, __ATOMIC_ACQUIRE) >= kSlots) {
        }
        Slot& s = box_->slots[head_ % kSlots];
        s.op = int(op);
        s.data = data;
        s.n = n;
        s.a = a;
        s.b = b;
        ++head_;
        __atomic_store_n(&box_->head, head_, __ATOMIC_SEQ_CST);
        return head_;
    }

    double wait(unsigned ticket) {
        while (int(__atomic_load_n(&box_->done, __ATOMIC_ACQUIRE) - ticket) < 0) {
        }
        return box_->slots[(ticket - 1) % kSlots].result;
    }

    void stop() {
        if (!running_) return;
        __atomic_store_n(&box_->quit, 1u, __ATOMIC_SEQ_CST);
        cudaStreamSynchronize(stream_);
        running_ = false;
    }

private:
    Mailbox* box_ = nullptr;
    cudaStream_t stream_ = nullptr;
    unsigned head_ = 0;
    bool running_ = false;
};

}  // namespace mosaic
