#include "executor.h"

#include <algorithm>

namespace infer {

namespace {

__global__ void fused_rows(const row_desc* rows)
{
    const row_desc r = rows[blockIdx.x];
    for (int i = threadIdx.x; i < r.width; i += blockDim.x) r.out[i] = r.in[i] * r.scale + r.bias;
}

}  // namespace

executor::executor(std::size_t max_rows) : max_rows_(max_rows), staged_(max_rows)
{
    verify(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

executor::~executor()
{
    for (plan& p : plans_) {
        p.exec.reset();
        cudaFree(p.device_rows);
    }
    cudaStreamDestroy(stream_);
}

void executor::stage_rows(plan& p, const std::vector<row_desc>& rows)
{
    p.rows = std::min(rows.size(), max_rows_);
    verify(cudaMalloc(&p.device_rows, p.rows * sizeof(row_desc)));
    std::copy_n(rows.begin(), p.rows, staged_.data());
}

void executor::record(plan& p)
{
    verify(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    verify(cudaMemcpyAsync(p.device_rows, staged_.data(), p.rows * sizeof(row_desc),
                           cudaMemcpyHostToDevice, stream_));
    fused_rows<<<static_cast<unsigned>(p.rows), 128, 0, stream_>>>(p.device_rows);
    verify(cudaGetLastError());

    cudaGraph_t graph = nullptr;
    verify(cudaStreamEndCapture(stream_, &graph));
    cudaGraphExec_t exec = nullptr;
    verify(cudaGraphInstantiate(&exec, graph, 0));
    p.exec.reset(exec);
    verify(cudaGraphDestroy(graph));
}

std::size_t executor::compile(std::string name, const std::vector<row_desc>& rows)
{
    plan p;
    p.name = std::move(name);
    stage_rows(p, rows);
    record(p);
    plans_.push_back(std::move(p));
    return plans_.size() - 1;
}

void executor::run(std::size_t plan_index)
{
    verify(cudaGraphLaunch(plans_.at(plan_index).exec.get(), stream_));
}

void executor::wait() { verify(cudaStreamSynchronize(stream_)); }

}  // namespace infer
