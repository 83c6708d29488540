#include "lane.h"
#include <cstring>

namespace settle {

__global__ void net_batch(const int* q, int n, long long* net, unsigned long long busy_ns)
{
    __shared__ long long acc;
    if (threadIdx.x == 0) acc = 0;
    __syncthreads();
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0)::"memory");
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    } while (t - t0 < busy_ns);
    long long mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += q[i];
    atomicAdd(reinterpret_cast<unsigned long long*>(&acc), static_cast<unsigned long long>(mine));
    __syncthreads();
    if (threadIdx.x == 0) *net = acc;
}

Lane::Lane(ResultBus& bus, int max_batches, int trades) : bus_(bus), trades_(trades)
{
    SETTLE_CALL(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    const size_t n = static_cast<size_t>(max_batches) * trades;
    SETTLE_CALL(cudaMallocHost(&h_in_, n * sizeof(int)));
    SETTLE_CALL(cudaMalloc(&d_in_, n * sizeof(int)));
    SETTLE_CALL(cudaMallocHost(&h_net_, max_batches * sizeof(long long)));
    SETTLE_CALL(cudaMalloc(&d_net_, max_batches * sizeof(long long)));
}

Lane::~Lane()
{
    cudaStreamSynchronize(stream_);
    cudaFree(d_net_);
    cudaFreeHost(h_net_);
    cudaFree(d_in_);
    cudaFreeHost(h_in_);
    cudaStreamDestroy(stream_);
}

void CUDART_CB Lane::deliver(void* arg)
{
    auto* t = static_cast<Ticket*>(arg);
    t->bus->publish(NetResult{t->batch, *t->net});
}

void Lane::submit(int batch, const std::vector<int>& quantities)
{
    const size_t off = static_cast<size_t>(used_) * trades_;
    std::memcpy(h_in_ + off, quantities.data(), trades_ * sizeof(int));
    SETTLE_CALL(cudaMemcpyAsync(d_in_ + off, h_in_ + off, trades_ * sizeof(int),
                                cudaMemcpyHostToDevice, stream_));
    net_batch<<<1, 256, 0, stream_>>>(d_in_ + off, trades_, d_net_ + used_, 10'000'000ull);
    SETTLE_CALL(cudaGetLastError());
    SETTLE_CALL(cudaMemcpyAsync(h_net_ + used_, d_net_ + used_, sizeof(long long),
                                cudaMemcpyDeviceToHost, stream_));
    tickets_.push_back(std::make_unique<Ticket>(Ticket{&bus_, batch, h_net_ + used_}));
    SETTLE_CALL(cudaLaunchHostFunc(stream_, &Lane::deliver, tickets_.back().get()));
    ++used_;
}

void Lane::quiesce() { SETTLE_CALL(cudaStreamSynchronize(stream_)); }

} // namespace settle
