#include "scheduler.cuh"
#include <thread>

namespace replay {

__global__ void stage(int* cells, int n, int add, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) cells[i] += add;
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

Scheduler::Scheduler(int cells, unsigned long long stageNs) : n_(cells) {
    demand(cudaMalloc(reinterpret_cast<void**>(&data_), n_ * sizeof(int)));
    demand(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
    demand(cuEventCreate(&tail_, CU_EVENT_DISABLE_TIMING));
    demand(cuMemsetD32Async(reinterpret_cast<CUdeviceptr>(data_), 0, n_, stream_));

    cudaFunction_t fn{};
    demand(cudaGetFuncBySymbol(&fn, reinterpret_cast<const void*>(stage)));
    ChainBuilder chain;
    chain.kernel(fn, 16, 128, data_, n_, 1, stageNs).kernel(fn, 16, 128, data_, n_, 2, stageNs);
    exec_ = chain.build();
    demand(cuGraphUpload(exec_, stream_));
    demand(cuStreamSynchronize(stream_));
}

Scheduler::~Scheduler() {
    cuStreamSynchronize(stream_);
    cuGraphExecDestroy(exec_);
    cuEventDestroy(tail_);
    cuStreamDestroy(stream_);
    cudaFree(data_);
}

Figures Scheduler::measure(int replays) {
    demand(cuGraphLaunch(exec_, stream_));
    demand(cuStreamSynchronize(stream_));

    Figures f;
    {
        Span whole(f.complete);
        {
            Span enqueue(f.submit);
            for (int i = 0; i < replays; ++i) demand(cuGraphLaunch(exec_, stream_));
        }
        demand(cuEventRecord(tail_, stream_));
        CUresult rc;
        while ((rc = cuEventQuery(tail_)) == CUDA_ERROR_NOT_READY) std::this_thread::yield();
        demand(rc);
    }
    return f;
}

std::vector<int> Scheduler::cells() const {
    std::vector<int> host(n_);
    demand(cuMemcpyDtoHAsync(host.data(), reinterpret_cast<CUdeviceptr>(data_), n_ * sizeof(int), stream_));
    demand(cuStreamSynchronize(stream_));
    return host;
}

}  // namespace replay
