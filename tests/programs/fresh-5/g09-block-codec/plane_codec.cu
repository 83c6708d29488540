#include "plane_codec.h"

namespace codec {

namespace {

__global__ void quantise(const int* coeffs, const int* table, int* levels, std::size_t n) {
    const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    if (i < n) levels[i] = coeffs[i] / table[i % kBlock];
}

}  // namespace

int table_entry(int quality, int k) {
    const int base = 10 + (k % 8) * 6 + (k / 8) * 5;
    const int scaled = base * (200 - 2 * quality) / 100;
    return scaled > 1 ? scaled : 1;
}

PlaneCodec::PlaneCodec(Staging& staging, int quality, std::size_t blocks) : quality_(quality), blocks_(blocks) {
    check(cudaMalloc(reinterpret_cast<void**>(&coeffs_), count() * sizeof(int)));
    check(cudaMalloc(reinterpret_cast<void**>(&levels_), count() * sizeof(int)));
    check(cudaMalloc(reinterpret_cast<void**>(&table_), kBlock * sizeof(int)));
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    record(staging);
}

PlaneCodec::~PlaneCodec() {
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaStreamDestroy(stream_);
    cudaFree(coeffs_);
    cudaFree(levels_);
    cudaFree(table_);
}

void PlaneCodec::load_table(Staging& staging) {
    Staging::Frame frame(staging);
    int* host = staging.push<int>(kBlock);
    for (int k = 0; k < kBlock; ++k) host[k] = table_entry(quality_, k);
    check(cudaMemcpyAsync(table_, host, kBlock * sizeof(int), cudaMemcpyHostToDevice, stream_));
}

void PlaneCodec::record(Staging& staging) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    load_table(staging);
    quantise<<<unsigned((count() + 255) / 256), 256, 0, stream_>>>(coeffs_, table_, levels_, count());
    check(cudaGetLastError());
    check(cudaStreamEndCapture(stream_, &graph));
    check(cudaGraphInstantiate(&exec_, graph, 0));
    check(cudaGraphDestroy(graph));
}

void PlaneCodec::encode() { check(cudaGraphLaunch(exec_, stream_)); }

}  // namespace codec
