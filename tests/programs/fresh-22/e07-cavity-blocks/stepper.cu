#include "stepper.h"

namespace cavity {

namespace {

constexpr std::size_t kCells = static_cast<std::size_t>(kSize) * kSize;

__global__ void updateH(const int* ez, int* hx, int* hy)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x + 1 >= kSize || y + 1 >= kSize) return;
    int i = y * kSize + x;
    hx[i] -= (ez[i + kSize] - ez[i]) / 2;
    hy[i] += (ez[i + 1] - ez[i]) / 2;
}

__global__ void updateE(int* ez, const int* hx, const int* hy)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x + 1 >= kSize || y + 1 >= kSize) return;
    int i = y * kSize + x;
    ez[i] += (hy[i] - hy[i - 1] - hx[i] + hx[i - kSize]) / 2;
}

__global__ void drive(int* ez, int* clock)
{
    int t = (*clock)++;
    ez[(kSize / 2) * kSize + kSize / 3] += (t * 37 % 101 - 50) * 1000;
}

__global__ void readProbe(const int* ez, int* row)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < kSize) row[x] = ez[(kSize / 2 + 3) * kSize + x];
}

} // namespace

Stepper::Stepper(ProbeStore& probes, StepOptions options) : probes_(probes), options_(options)
{
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (int** f : {&fields_.ez, &fields_.hx, &fields_.hy}) {
        ok(cudaMalloc(f, kCells * sizeof(int)));
        ok(cudaMemsetAsync(*f, 0, kCells * sizeof(int), stream_));
    }
    ok(cudaMalloc(&fields_.clock, sizeof(int)));
    ok(cudaMemsetAsync(fields_.clock, 0, sizeof(int), stream_));
    ok(cudaMalloc(&spare_, kSize * sizeof(int)));
}

Stepper::~Stepper()
{
    if (block_) cudaGraphExecDestroy(block_);
    cudaStreamDestroy(stream_);
    for (int* p : {fields_.ez, fields_.hx, fields_.hy, fields_.clock, spare_}) cudaFree(p);
}

void Stepper::step()
{
    dim3 threads(32, 8), blocks((kSize + 31) / 32, (kSize + 7) / 8);
    updateH<<<blocks, threads, 0, stream_>>>(fields_.ez, fields_.hx, fields_.hy);
    updateE<<<blocks, threads, 0, stream_>>>(fields_.ez, fields_.hx, fields_.hy);
    drive<<<1, 1, 0, stream_>>>(fields_.ez, fields_.clock);
    ok(cudaGetLastError());
}

void Stepper::settle(int steps)
{
    for (int s = 0; s < steps; ++s) step();
    readProbe<<<(kSize + 127) / 128, 128, 0, stream_>>>(fields_.ez, spare_);
    ok(cudaGetLastError());
    ok(cudaStreamSynchronize(stream_));
}

void Stepper::record()
{
    ok(cudaStreamBeginCapture(stream_, options_.captureMode));
    for (int s = 1; s <= options_.stepsPerBlock; ++s) {
        step();
        if (s % options_.stepsPerProbe == 0) {
            int* row = probes_.row(s / options_.stepsPerProbe - 1);
            readProbe<<<(kSize + 127) / 128, 128, 0, stream_>>>(fields_.ez, row);
            ok(cudaGetLastError());
        }
    }
    cudaGraph_t graph = nullptr;
    ok(cudaStreamEndCapture(stream_, &graph));
    ok(cudaGraphInstantiate(&block_, graph, 0));
    ok(cudaGraphDestroy(graph));
}

void Stepper::play(int blocks)
{
    for (int b = 0; b < blocks; ++b) ok(cudaGraphLaunch(block_, stream_));
    ok(cudaStreamSynchronize(stream_));
}

std::vector<int> Stepper::field() const
{
    std::vector<int> out(kCells);
    ok(cudaMemcpy(out.data(), fields_.ez, kCells * sizeof(int), cudaMemcpyDeviceToHost));
    return out;
}

std::vector<int> Stepper::probe(std::size_t k) const
{
    std::vector<int> out(kSize);
    ok(cudaMemcpy(out.data(), probes_.row(k), kSize * sizeof(int), cudaMemcpyDeviceToHost));
    return out;
}

} // namespace cavity
