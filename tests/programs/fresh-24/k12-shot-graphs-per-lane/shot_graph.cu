#include "shot_graph.h"
namespace mig {
namespace {
constexpr unsigned long long kStepNs = 10000000ull;

__device__ void relax() {
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a)::"memory");
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b)::"memory");
    } while (b - a < kStepNs);
}

__global__ void inject(unsigned* field, int cells, int shot) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
        field[i] = wavelet(shot, i);
}

__global__ void propagate(unsigned* field, int cells, int step) {
    relax();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
        field[i] = propagated(field[i], step);
}

__global__ void imaging(const unsigned* field, int cells, unsigned* image) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
        image[i] = field[i] >> 3;
}

cudaKernelNodeParams node(void* kernel, void** args) {
    cudaKernelNodeParams p{};
    p.func = kernel;
    p.gridDim = dim3(8);
    p.blockDim = dim3(128);
    p.kernelParams = args;
    return p;
}
}  // namespace

ShotGraph::ShotGraph(const ShotShape& shape) : shape_(shape) {
    MIG_CUDA(cudaGraphCreate(&graph_, 0));
    unsigned* none = nullptr;
    int shot = 0;
    void* src[] = {&none, &shape_.cells, &shot};
    cudaKernelNodeParams p = node((void*)inject, src);
    MIG_CUDA(cudaGraphAddKernelNode(&source_, graph_, nullptr, 0, &p));
    cudaGraphNode_t last = source_;
    for (int s = 0; s < shape_.steps; ++s) {
        void* step[] = {&none, &shape_.cells, &s};
        p = node((void*)propagate, step);
        MIG_CUDA(cudaGraphAddKernelNode(&steps_[s], graph_, &last, 1, &p));
        last = steps_[s];
    }
    void* img[] = {&none, &shape_.cells, &none};
    p = node((void*)imaging, img);
    MIG_CUDA(cudaGraphAddKernelNode(&image_, graph_, &last, 1, &p));
    MIG_CUDA(cudaGraphInstantiate(&exec_, graph_, 0));
}

ShotGraph::~ShotGraph() {
    cudaGraphExecDestroy(exec_);
    cudaGraphDestroy(graph_);
}

void ShotGraph::bind(const Shot& shot, unsigned* field, unsigned* image) {
    int id = shot.id;
    void* src[] = {&field, &shape_.cells, &id};
    cudaKernelNodeParams p = node((void*)inject, src);
    MIG_CUDA(cudaGraphExecKernelNodeSetParams(exec_, source_, &p));
    for (int s = 0; s < shape_.steps; ++s) {
        void* step[] = {&field, &shape_.cells, &s};
        p = node((void*)propagate, step);
        MIG_CUDA(cudaGraphExecKernelNodeSetParams(exec_, steps_[s], &p));
    }
    void* img[] = {&field, &shape_.cells, &image};
    p = node((void*)imaging, img);
    MIG_CUDA(cudaGraphExecKernelNodeSetParams(exec_, image_, &p));
}
}  // namespace mig
