#include "planner.h"

namespace db {

namespace {

__global__ void filterSum(const int* key, const int* amount, int rows, const Statement* statement,
                          unsigned long long* sum) {
    const Statement s = *statement;
    unsigned long long local = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x) {
        if (key[i] >= s.low && key[i] <= s.high) {
            local += static_cast<unsigned long long>(amount[i]) * s.weight;
        }
    }
    if (local) atomicAdd(sum, local);
}

}  // namespace

Planner::Planner(const Table& table, cudaStream_t stream) : table_(table), stream_(stream) {}

void Planner::enqueue(const Plan& plan) {
    ok(cudaMemcpyAsync(plan.bound, plan.binding, sizeof(Statement), cudaMemcpyHostToDevice,
                       stream_));
    ok(cudaMemsetAsync(plan.sum, 0, sizeof(*plan.sum), stream_));
    filterSum<<<120, 256, 0, stream_>>>(table_.key, table_.amount, table_.rows, plan.bound, plan.sum);
    ok(cudaGetLastError());
    ok(cudaMemcpyAsync(plan.answer, plan.sum, sizeof(*plan.sum), cudaMemcpyDeviceToHost, stream_));
}

Plan Planner::prepare(const Statement& statement) {
    Plan plan;
    ok(cudaMallocHost(&plan.binding, sizeof(Statement)));
    ok(cudaMalloc(&plan.bound, sizeof(Statement)));
    ok(cudaMalloc(&plan.sum, sizeof(*plan.sum)));
    ok(cudaMallocHost(&plan.answer, sizeof(*plan.answer)));

    *plan.binding = statement;
    enqueue(plan);
    ok(cudaStreamSynchronize(stream_));
    plan.sample = *plan.answer;

    cudaGraph_t graph = nullptr;
    ok(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    enqueue(plan);
    ok(cudaStreamEndCapture(stream_, &graph));
    ok(cudaGraphInstantiate(&plan.exec, graph, 0));
    ok(cudaGraphDestroy(graph));
    return plan;
}

void Planner::drop(Plan& plan) {
    cudaGraphExecDestroy(plan.exec);
    cudaFreeHost(plan.answer);
    cudaFree(plan.sum);
    cudaFree(plan.bound);
    cudaFreeHost(plan.binding);
}

}  // namespace db
