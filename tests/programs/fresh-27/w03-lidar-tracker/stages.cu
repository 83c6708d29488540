#include <functional>
#include <map>

#include "stage.h"

namespace lidar {
namespace {

__device__ unsigned long long clock_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__device__ void work_for(unsigned long long ns) {
    const unsigned long long begin = clock_ns();
    while (clock_ns() - begin < ns) {
    }
}

__global__ void acquire_kernel(int* range, int sweep) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kPoints) range[i] = 10 + (i * 7 + sweep * 13) % 101;
}

__global__ void label_kernel(const int* range, int* cell) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kPoints) cell[i] = (range[i] * 31 + i) % kCells;
}

__global__ void count_kernel(const int* cell, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kPoints) atomicAdd(&count[cell[i]], 1);
}

__global__ void moment_kernel(const int* range, const int* cell, int* moment) {
    const int c = threadIdx.x;
    int sum = 0;
    for (int i = 0; i < kPoints; ++i)
        if (cell[i] == c) sum += range[i];
    work_for(80'000'000ull);
    moment[c] = sum;
}

__global__ void track_kernel(const int* count, const int* moment, int* track) {
    const int c = threadIdx.x;
    track[c] = count[c] ? moment[c] / count[c] : -1;
}

template <class K>
void preload(K kernel) {
    cudaFuncAttributes attributes{};
    LT_CUDA(cudaFuncGetAttributes(&attributes, kernel));
}

constexpr int kThreads = 256;
constexpr int kBlocks = kPoints / kThreads;

class AcquireStage final : public Stage {
public:
    AcquireStage() : Stage("acquire") { preload(acquire_kernel); }

private:
    void enqueue(Sweep& sweep) override {
        acquire_kernel<<<kBlocks, kThreads, 0, stream()>>>(sweep.range.get(), sweep.id);
    }
};

class ClusterStage final : public Stage {
public:
    ClusterStage() : Stage("cluster"), side_(make_stream()), labelled_(make_event()), moments_(make_event()) {
        preload(label_kernel);
        preload(count_kernel);
        preload(moment_kernel);
    }

private:
    void enqueue(Sweep& sweep) override {
        label_kernel<<<kBlocks, kThreads, 0, stream()>>>(sweep.range.get(), sweep.cell.get());
        LT_CUDA(cudaEventRecord(labelled_.get(), stream()));
        launch_moments(sweep);
        count_kernel<<<kBlocks, kThreads, 0, stream()>>>(sweep.cell.get(), sweep.count.get());
    }

    void launch_moments(Sweep& sweep) {
        LT_CUDA(cudaStreamWaitEvent(side_.get(), labelled_.get(), 0));
        moment_kernel<<<1, kCells, 0, side_.get()>>>(sweep.range.get(), sweep.cell.get(),
                                                     sweep.moment.get());
        LT_CUDA(cudaEventRecord(moments_.get(), side_.get()));
    }

    StreamPtr side_;
    EventPtr labelled_;
    EventPtr moments_;
};

class TrackStage final : public Stage {
public:
    TrackStage() : Stage("track") { preload(track_kernel); }

private:
    void enqueue(Sweep& sweep) override {
        track_kernel<<<1, kCells, 0, stream()>>>(sweep.count.get(), sweep.moment.get(),
                                                 sweep.track.get());
    }
};

}  // namespace

std::unique_ptr<Stage> make_stage(const std::string& name) {
    static const std::map<std::string, std::function<std::unique_ptr<Stage>()>> registry = {
        {"acquire", [] { return std::make_unique<AcquireStage>(); }},
        {"cluster", [] { return std::make_unique<ClusterStage>(); }},
        {"track", [] { return std::make_unique<TrackStage>(); }},
    };
    return registry.at(name)();
}

}  // namespace lidar
