#include "pricer.h"

namespace desk {
namespace {

__global__ void discount(const Scenario* scenario, const Position* book, float* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Scenario s = *scenario;
    const float yield = s.rate + s.spread;
    values[i] = s.fx * book[i].notional * expf(-yield * book[i].years) + s.shift;
}

__global__ void haircut(float* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 0.98f;
}

}  // namespace

Pricer::Pricer(PinnedArena& arena, int capacity) : arena_(arena), capacity_(capacity) {
    DESK_TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    DESK_TRY(cudaMalloc(&deviceScenario_, sizeof(Scenario)));
    DESK_TRY(cudaMalloc(&book_, capacity_ * sizeof(Position)));
    DESK_TRY(cudaMalloc(&values_, capacity_ * sizeof(float)));
    DESK_TRY(cudaMallocHost(&report_, capacity_ * sizeof(float)));
}

Pricer::~Pricer() {
    if (replay_) cudaGraphExecDestroy(replay_);
    cudaStreamDestroy(stream_);
    cudaFree(deviceScenario_);
    cudaFree(book_);
    cudaFree(values_);
    cudaFreeHost(report_);
}

void Pricer::record(const Scenario& scenario) {
    PinnedArena::Scope scope(arena_);
    Scenario* staged = arena_.take<Scenario>();
    *staged = scenario;

    const int grid = (capacity_ + 127) / 128;
    cudaGraph_t graph = nullptr;
    DESK_TRY(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    DESK_TRY(cudaMemcpyAsync(deviceScenario_, staged, sizeof(Scenario), cudaMemcpyHostToDevice,
                             stream_));
    discount<<<grid, 128, 0, stream_>>>(deviceScenario_, book_, values_, capacity_);
    haircut<<<grid, 128, 0, stream_>>>(values_, capacity_);
    DESK_TRY(cudaMemcpyAsync(report_, values_, capacity_ * sizeof(float), cudaMemcpyDeviceToHost,
                             stream_));
    DESK_TRY(cudaStreamEndCapture(stream_, &graph));
    DESK_TRY(cudaGraphInstantiate(&replay_, graph, 0));
    DESK_TRY(cudaGraphDestroy(graph));
}

void Pricer::load(const std::vector<Position>& book) {
    PinnedArena::Scope scope(arena_);
    Position* staged = arena_.take<Position>(book.size());
    for (std::size_t i = 0; i < book.size(); ++i) staged[i] = book[i];
    DESK_TRY(cudaMemcpyAsync(book_, staged, book.size() * sizeof(Position),
                             cudaMemcpyHostToDevice, stream_));
    DESK_TRY(cudaStreamSynchronize(stream_));
}

const float* Pricer::reprice() {
    DESK_TRY(cudaGraphLaunch(replay_, stream_));
    DESK_TRY(cudaStreamSynchronize(stream_));
    return report_;
}

}  // namespace desk
