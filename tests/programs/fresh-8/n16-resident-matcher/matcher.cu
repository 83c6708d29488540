#include "matcher.h"

#include <atomic>
#include <string.h>

/* Positive quantities rest on their level, negative ones take from it. */
__global__ void session(volatile struct desk_mail *mail, volatile int *book)
{
    unsigned seen = 0;

    for (;;) {
        while (mail->seq == seen)
            __nanosleep(200);
        __threadfence_system();
        seen++;

        if (mail->cmd == CMD_CLOSE) {
            mail->ack = seen;
            return;
        }
        int lv = mail->level, q = mail->qty, rest = book[lv];
        int fill = 0;
        if (q < 0)
            fill = -q < rest ? -q : rest;
        book[lv] = q < 0 ? rest - fill : rest + q;
        mail->filled = fill;
        __threadfence_system();
        mail->ack = seen;
    }
}

__global__ void cumulate(const int *book, int *depth)
{
    int lv = threadIdx.x, sum = 0;
    for (int k = 0; k <= lv; k++)
        sum += __ldcg(book + k);
    depth[lv] = sum;
}

/* Posts a command and waits for the answer of the engine. */
static int post(struct matcher *m, int cmd, int level, int qty)
{
    volatile struct desk_mail *mail = m->mail;

    mail->cmd = cmd;
    mail->level = level;
    mail->qty = qty;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    mail->seq = ++m->seq;
    while (mail->ack != m->seq)
        ;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return mail->filled;
}

void matcher_init(struct matcher *m)
{
    int lo, hi;

    memset(m, 0, sizeof *m);
    TRY(cudaDeviceGetStreamPriorityRange(&lo, &hi));
    TRY(cudaStreamCreateWithPriority(&m->engine, cudaStreamNonBlocking, hi));
    TRY(cudaStreamCreateWithPriority(&m->audit, cudaStreamNonBlocking, lo));
    TRY(cudaHostAlloc((void **)&m->mail, sizeof *m->mail, cudaHostAllocMapped));
    TRY(cudaHostGetDevicePointer((void **)&m->mail_dev, m->mail, 0));
    memset(m->mail, 0, sizeof *m->mail);
    TRY(cudaMalloc((void **)&m->book, LEVELS * sizeof(int)));
    TRY(cudaMalloc((void **)&m->depth, LEVELS * sizeof(int)));
    TRY(cudaMallocHost((void **)&m->depth_host, LEVELS * sizeof(int)));
    TRY(cudaMemset(m->book, 0, LEVELS * sizeof(int)));
    TRY(cudaDeviceSynchronize());
}

void matcher_open(struct matcher *m)
{
    const int *d = matcher_depth(m);

    for (int k = 0; k < LEVELS; k++) {
        if (d[k] != 0) {
            printf("WRONG %d\n", LEVELS);
            exit(1);
        }
    }
    session<<<1, 1, 0, m->engine>>>(m->mail_dev, m->book);
    TRY(cudaGetLastError());
}

int matcher_order(struct matcher *m, int level, int qty)
{
    return post(m, CMD_ORDER, level, qty);
}

const int *matcher_depth(struct matcher *m)
{
    cumulate<<<1, LEVELS, 0, m->audit>>>(m->book, m->depth);
    TRY(cudaGetLastError());
    TRY(cudaMemcpyAsync(m->depth_host, m->depth, LEVELS * sizeof(int), cudaMemcpyDeviceToHost, m->audit));
    TRY(cudaStreamSynchronize(m->audit));
    return m->depth_host;
}

void matcher_close(struct matcher *m)
{
    post(m, CMD_CLOSE, 0, 0);
    TRY(cudaStreamSynchronize(m->engine));
}

void matcher_free(struct matcher *m)
{
    cudaFreeHost(m->mail);
    cudaFreeHost(m->depth_host);
    cudaFree(m->book);
    cudaFree(m->depth);
    cudaStreamDestroy(m->engine);
    cudaStreamDestroy(m->audit);
}
