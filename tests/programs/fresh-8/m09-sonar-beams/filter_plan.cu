#include "filter_plan.h"

namespace sonar {

namespace {

__global__ void fir(const int *in, const int *taps, int ntaps, int n, int *out)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    {
        int acc = 0;
        for (int k = 0; k < ntaps; ++k)
            if (i - k >= 0) acc += taps[k] * in[i - k];
        out[i] = acc;
    }
}

void assign(int *device, const std::vector<int> &values, StagingArena &arena, cudaStream_t stream)
{
    const int *pinned = arena.stage(values.data(), values.size());
    verify(cudaMemcpyAsync(device, pinned, values.size() * sizeof(int), cudaMemcpyHostToDevice, stream));
}

} // namespace

FilterPlan::FilterPlan(const FilterDesc &desc, cudaStream_t stream)
    : m_desc(desc), m_arena(4096)
{
    verify(cudaMalloc(&m_taps, desc.taps.size() * sizeof(int)));
    verify(cudaMalloc(&m_input, desc.samples * sizeof(int)));
    verify(cudaMalloc(&m_output, desc.samples * sizeof(int)));
    record(stream);
}

FilterPlan::~FilterPlan()
{
    cudaGraphExecDestroy(m_exec);
    cudaFree(m_output);
    cudaFree(m_input);
    cudaFree(m_taps);
}

void FilterPlan::record(cudaStream_t stream)
{
    cudaGraph_t graph = nullptr;
    verify(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    assign(m_taps, m_desc.taps, m_arena, stream);
    fir<<<64, 128, 0, stream>>>(m_input, m_taps, static_cast<int>(m_desc.taps.size()), m_desc.samples,
                                m_output);
    verify(cudaGetLastError());
    verify(cudaStreamEndCapture(stream, &graph));
    verify(cudaGraphInstantiate(&m_exec, graph, 0));
    verify(cudaGraphDestroy(graph));
}

void FilterPlan::execute(cudaStream_t stream) { verify(cudaGraphLaunch(m_exec, stream)); }

} // namespace sonar
