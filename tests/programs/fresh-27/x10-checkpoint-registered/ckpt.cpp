#include "ckpt.h"

#define PAGE 4096

uint64_t ckpt_sum(const void *data, size_t bytes)
{
    const uint32_t *p = (const uint32_t *)data;
    const size_t n = bytes / sizeof(uint32_t);
    uint64_t h = 0;
    for (size_t i = 0; i < n; ++i)
        h = h * 31 + p[i];
    return h;
}

static void writer_main(ckpt *c)
{
    for (;;) {
        ckpt_slot *s;
        {
            std::unique_lock<std::mutex> hold(c->lock);
            while (c->queue.empty() && !c->closing)
                c->changed.wait(hold);
            if (c->queue.empty())
                return;
            s = c->queue.front();
            c->queue.pop_front();
        }
        CK(cudaEventSynchronize(s->copied));
        ckpt_record rec = {s->block, s->time, ckpt_sum(s->host, c->bytes)};
        {
            std::lock_guard<std::mutex> hold(c->lock);
            c->archive.push_back(rec);
            s->busy = false;
        }
        c->changed.notify_all();
    }
}

static void slot_init(ckpt_slot *s, size_t bytes)
{
    s->busy = false;
    s->host = NULL;
    if (posix_memalign(&s->host, PAGE, bytes) != 0) {
        printf("ERROR memory\n");
        exit(1);
    }
    CK(cudaHostRegister(s->host, bytes, cudaHostRegisterDefault));
    CK(cudaEventCreateWithFlags(&s->copied, cudaEventDisableTiming | cudaEventBlockingSync));
}

static void slot_fini(ckpt_slot *s)
{
    CK(cudaEventDestroy(s->copied));
    CK(cudaHostUnregister(s->host));
    free(s->host);
}

void ckpt_init(ckpt *c, size_t bytes)
{
    c->bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    c->closing = false;
    for (int b = 0; b < NBLOCKS; ++b)
        for (int k = 0; k < CKPT_DEPTH; ++k)
            slot_init(&c->slot[b][k], c->bytes);
    c->writer = std::thread(writer_main, c);
}

void ckpt_post(ckpt *c, int block, int time, const void *dev, cudaStream_t stream)
{
    ckpt_slot *s = &c->slot[block][time % CKPT_DEPTH];
    {
        std::unique_lock<std::mutex> hold(c->lock);
        while (s->busy)
            c->changed.wait(hold);
        s->busy = true;
    }
    s->block = block;
    s->time = time;
    CK(cudaMemcpyAsync(s->host, dev, c->bytes, cudaMemcpyDeviceToHost, stream));
    CK(cudaEventRecord(s->copied, stream));
    {
        std::lock_guard<std::mutex> hold(c->lock);
        c->queue.push_back(s);
    }
    c->changed.notify_all();
}

void ckpt_close(ckpt *c)
{
    {
        std::lock_guard<std::mutex> hold(c->lock);
        c->closing = true;
    }
    c->changed.notify_all();
    c->writer.join();
    for (int b = 0; b < NBLOCKS; ++b)
        for (int k = 0; k < CKPT_DEPTH; ++k)
            slot_fini(&c->slot[b][k]);
}
