/* Resident GPU worker driven by commands in a mapped pinned mailbox. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <thread>

#define CHECK(call) do { cudaError_t rc_ = (call); if (rc_ != cudaSuccess) { \
    fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(rc_)); exit(1); } } while (0)

enum Command { CMD_NONE = 0, CMD_SCALE = 1, CMD_SHIFT = 2, CMD_QUIT = 3 };

struct Mailbox {
    volatile int seq;      /* bumped by the host for every command   */
    volatile int cmd;
    volatile float arg;
    volatile int ack;      /* set by the device to the handled seq   */
};

__global__ void init_state(float *state, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        state[i] = (float)(i % 100);
}

__global__ void worker(Mailbox *box, float *state, int n)
{
    __shared__ int cmd;
    __shared__ float arg;
    int expected = 1;
    for (;;) {
        if (threadIdx.x == 0) {
            while (box->seq < expected)
                ;
            __threadfence_system();
            cmd = box->cmd;
            arg = box->arg;
        }
        __syncthreads();
        const int c = cmd;
        const float a = arg;
        if (c == CMD_SCALE) {
            for (int i = threadIdx.x; i < n; i += blockDim.x) state[i] *= a;
        } else if (c == CMD_SHIFT) {
            for (int i = threadIdx.x; i < n; i += blockDim.x) state[i] += a;
        }
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0)
            box->ack = expected;
        if (c == CMD_QUIT)
            return;
        ++expected;
    }
}

static int post(Mailbox *box, int cmd, float arg)
{
    box->cmd = cmd;
    box->arg = arg;
    __sync_synchronize();
    box->seq = box->seq + 1;
    return box->seq;
}

static void wait_ack(Mailbox *box, int seq)
{
    while (box->ack < seq)
        std::this_thread::yield();
    __sync_synchronize();
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1 << 16;
    const int rounds = argc > 2 ? atoi(argv[2]) : 8;
    Mailbox *box, *d_box;
    float *d_state;
    float *result = (float *)malloc(n * sizeof(float));
    cudaStream_t stream;

    CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
    CHECK(cudaHostAlloc((void **)&box, sizeof(*box), cudaHostAllocMapped));
    box->seq = 0;
    box->cmd = CMD_NONE;
    box->arg = 0.f;
    box->ack = 0;
    CHECK(cudaHostGetDevicePointer((void **)&d_box, box, 0));
    CHECK(cudaMalloc((void **)&d_state, n * sizeof(float)));
    CHECK(cudaStreamCreate(&stream));

    init_state<<<(n + 255) / 256, 256, 0, stream>>>(d_state, n);
    worker<<<1, 512, 0, stream>>>(d_box, d_state, n);
    CHECK(cudaGetLastError());

    for (int r = 0; r < rounds; ++r) {
        wait_ack(box, post(box, CMD_SCALE, 1.5f));
        wait_ack(box, post(box, CMD_SHIFT, -1.0f));
    }

    CHECK(cudaMemcpy(result, d_state, n * sizeof(float), cudaMemcpyDeviceToHost));
    wait_ack(box, post(box, CMD_QUIT, 0.f));
    CHECK(cudaStreamSynchronize(stream));

    int bad = 0;
    for (int i = 0; i < n; ++i) {
        float ref = (float)(i % 100);
        for (int r = 0; r < rounds; ++r)
            ref = ref * 1.5f - 1.0f;
        if (fabsf(result[i] - ref) > 1e-3f * fmaxf(1.f, fabsf(ref)))
            ++bad;
    }
    printf("%d commands handled, %d mismatches\n", 2 * rounds, bad);

    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(d_state));
    CHECK(cudaFreeHost(box));
    free(result);
    return bad != 0;
}
