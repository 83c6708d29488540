// Tile farm: a resident grid that takes tile jobs from a mailbox in mapped
// host memory and accumulates hit counts in the frame.
#pragma once

#include "geometry.h"

#include <atomic>
#include <thread>

namespace tilefarm {

constexpr int kSide = 64;
constexpr int kTile = 16;
constexpr int kTiles = (kSide / kTile) * (kSide / kTile);
constexpr int kJobs = 256;

struct Job { const Sphere* geometry; int count, tile; };

struct Mailbox {
    Job jobs[kJobs];
    int finished[kJobs], closing;
    unsigned published;
};

__global__ void renderLoop(Mailbox* box, unsigned* ticket, int* frame)
{
    __shared__ Job job;
    __shared__ int slot;
    volatile Mailbox* mail = box;

    for (;;) {
        if (threadIdx.x == 0) {
            unsigned mine = atomicAdd(ticket, 1u);
            int found = -1;
            while (mail->published <= mine && !mail->closing) __nanosleep(500);
            __threadfence_system();
            if (mail->published > mine) {
                found = static_cast<int>(mine);
                job = Job{mail->jobs[found].geometry, mail->jobs[found].count, mail->jobs[found].tile};
            }
            slot = found;
        }
        __syncthreads();
        if (slot < 0) return;

        int x = (job.tile % (kSide / kTile)) * kTile + threadIdx.x % kTile;
        int y = (job.tile / (kSide / kTile)) * kTile + threadIdx.x / kTile;
        int hits = 0;
        for (int i = job.tile; i < job.count; i += kTiles) {
            float4 s = __ldcg(&job.geometry[i].shape);
            float dx = s.x - x, dy = s.y - y;
            if (dx * dx + dy * dy <= s.z * s.z) ++hits;
        }
        atomicAdd(&frame[y * kSide + x], hits);
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) mail->finished[slot] = 1;
    }
}

class TileFarm {
public:
    TileFarm(BlockStore& store, int blocks)
        : blocks_(blocks), frame_(store, kSide * kSide * sizeof(int)), ticket_(store, 256)
    {
        check(cudaHostAlloc(reinterpret_cast<void**>(&box_), sizeof(Mailbox), cudaHostAllocMapped));
        *box_ = Mailbox{};
        check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&deviceBox_), box_, 0));
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~TileFarm() { cudaStreamDestroy(stream_), cudaFreeHost(box_); }

    void open()
    {
        check(cudaMemsetAsync(frame_.as<void>(), 0, kSide * kSide * sizeof(int), stream_));
        check(cudaMemsetAsync(ticket_.as<void>(), 0, sizeof(unsigned), stream_));
        renderLoop<<<blocks_, kTile * kTile, 0, stream_>>>(deviceBox_, ticket_.as<unsigned>(), frame_.as<int>());
        check(cudaGetLastError());
    }

    // Renders one wave: every tile once over the spheres of the scene.
    void render(const Scene& scene)
    {
        volatile Mailbox* mail = box_;
        unsigned base = mail->published;
        for (int t = 0; t < kTiles; ++t) box_->jobs[base + t] = Job{scene.device(), scene.count(), t};
        std::atomic_thread_fence(std::memory_order_seq_cst);
        mail->published = base + kTiles;
        for (int t = 0; t < kTiles; ++t)
            while (!mail->finished[base + t]) std::this_thread::yield();
    }

    void close()
    {
        static_cast<volatile Mailbox*>(box_)->closing = 1;
        check(cudaStreamSynchronize(stream_));
    }

    std::vector<int> frame() const
    {
        std::vector<int> out(kSide * kSide);
        check(cudaMemcpy(out.data(), frame_.as<void>(), out.size() * sizeof(int), cudaMemcpyDeviceToHost));
        return out;
    }

private:
    int blocks_;
    Page frame_, ticket_;
    Mailbox *box_ = nullptr, *deviceBox_ = nullptr;
    cudaStream_t stream_ = nullptr;
};

} // namespace tilefarm
