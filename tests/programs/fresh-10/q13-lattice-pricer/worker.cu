#include "worker.h"

namespace pricing {

namespace {

__global__ void simulate(int* spot, int desk) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kPaths) spot[i] = (i * 37 + desk * 101) % 400;
}

__global__ void payoff(const int* spot, int strike, int sign, int* out) {
    const long long t0 = clock64();
    while (clock64() - t0 < 2000000ll) {
    }
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kPaths) out[i] = max(sign * (spot[i] - strike), 0);
}

__global__ void reduceBooks(const int* call, const int* put, long long* total) {
    __shared__ unsigned long long sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    unsigned long long mine = 0;
    for (int i = threadIdx.x; i < kPaths; i += blockDim.x) mine += call[i] + put[i];
    atomicAdd(&sum, mine);
    __syncthreads();
    if (threadIdx.x == 0) *total += (long long)sum;
}

void CUDART_CB countRevaluation(void* counter) { static_cast<std::atomic<int>*>(counter)->fetch_add(1); }

}  // namespace

Worker::~Worker() {
    for (Valuation& v : valuations_) {
        if (v.exec) cudaGraphExecDestroy(v.exec);
        cudaEventDestroy(v.joined);
        cudaEventDestroy(v.forked);
        cudaFreeHost(v.hostTotal);
        cudaFree(v.total);
        cudaFree(v.put);
        cudaFree(v.call);
        cudaFree(v.spot);
    }
    if (side_) cudaStreamDestroy(side_);
    if (main_) cudaStreamDestroy(main_);
}

void Worker::open() {
    orThrow(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking));
    orThrow(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
}

void Worker::allocate(Valuation& v) {
    orThrow(cudaMalloc(&v.spot, kPaths * sizeof(int)));
    orThrow(cudaMalloc(&v.call, kPaths * sizeof(int)));
    orThrow(cudaMalloc(&v.put, kPaths * sizeof(int)));
    orThrow(cudaMalloc(&v.total, sizeof(long long)));
    orThrow(cudaMallocHost(&v.hostTotal, sizeof(long long)));
    orThrow(cudaEventCreateWithFlags(&v.forked, cudaEventDisableTiming));
    orThrow(cudaEventCreateWithFlags(&v.joined, cudaEventDisableTiming));
    orThrow(cudaMemsetAsync(v.total, 0, sizeof(long long), main_));
}

void Worker::record(Valuation& v, const Book& book) {
    cudaGraph_t graph = nullptr;
    orThrow(cudaStreamBeginCapture(main_, cudaStreamCaptureModeThreadLocal));
    simulate<<<kPaths / 256, 256, 0, main_>>>(v.spot, book.desk);
    orThrow(cudaEventRecord(v.forked, main_));
    orThrow(cudaStreamWaitEvent(side_, v.forked, 0));
    payoff<<<kPaths / 256, 256, 0, side_>>>(v.spot, book.strike, -1, v.put);
    orThrow(cudaEventRecord(v.joined, side_));
    payoff<<<kPaths / 256, 256, 0, main_>>>(v.spot, book.strike, 1, v.call);
    orThrow(cudaStreamWaitEvent(main_, v.joined, 0));
    reduceBooks<<<1, 256, 0, main_>>>(v.call, v.put, v.total);
    orThrow(cudaMemcpyAsync(v.hostTotal, v.total, sizeof(long long), cudaMemcpyDeviceToHost, main_));
    orThrow(cudaLaunchHostFunc(main_, countRevaluation, &revaluations_));
    orThrow(cudaStreamEndCapture(main_, &graph));
    orThrow(cudaGraphInstantiate(&v.exec, graph, 0));
    orThrow(cudaGraphDestroy(graph));
}

std::vector<long long> Worker::value(const std::vector<Book>& books) {
    open();
    valuations_.resize(books.size());
    for (std::size_t b = 0; b < books.size(); ++b) {
        allocate(valuations_[b]);
        record(valuations_[b], books[b]);
    }
    for (int r = 0; r < kReplays; ++r)
        for (Valuation& v : valuations_) orThrow(cudaGraphLaunch(v.exec, main_));
    orThrow(cudaStreamSynchronize(main_));

    std::vector<long long> totals;
    for (const Valuation& v : valuations_) totals.push_back(*v.hostTotal);
    return totals;
}

}  // namespace pricing
