#include "farm.h"

namespace farm {

namespace {

__global__ void trace(int tile, int* pixels) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < 25000000ull);
    for (int i = threadIdx.x; i < kTilePixels; i += blockDim.x) pixels[i] = (i * 3 + tile * 7) & 255;
}

}  // namespace

RenderFarm::RenderFarm(int nodes) : nodes_(nodes) {
    for (Node& node : nodes_) {
        demand(cudaStreamCreateWithFlags(&node.stream, cudaStreamNonBlocking));
        demand(cudaMalloc(&node.tile, kTilePixels * sizeof(int)));
    }
    for (Node& node : nodes_) threads_.emplace_back([this, &node] { serve(node); });
}

RenderFarm::~RenderFarm() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        closing_ = true;
    }
    work_.notify_all();
    for (std::thread& t : threads_) t.join();
    for (Node& node : nodes_) {
        cudaStreamSynchronize(node.stream);
        cudaFree(node.tile);
        cudaStreamDestroy(node.stream);
    }
}

void RenderFarm::serve(Node& node) {
    for (;;) {
        Job job;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            work_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
            if (jobs_.empty()) return;
            job = std::move(jobs_.front());
            jobs_.pop_front();
        }
        job(node);
    }
}

std::future<void> RenderFarm::render(int tile, int* pixels) {
    Job job([tile, pixels](Node& node) {
        trace<<<1, 256, 0, node.stream>>>(tile, node.tile);
        demand(cudaGetLastError());
        demand(cudaMemcpyAsync(pixels, node.tile, kTilePixels * sizeof(int), cudaMemcpyDeviceToHost, node.stream));
        demand(cudaStreamSynchronize(node.stream));
    });
    std::future<void> done = job.get_future();
    {
        std::lock_guard<std::mutex> lock(mutex_);
        jobs_.push_back(std::move(job));
    }
    work_.notify_one();
    return done;
}

void RenderFarm::settle() {
    for (Node& node : nodes_) demand(cudaStreamSynchronize(node.stream));
}

}  // namespace farm
