#include "pricer.h"

namespace gw {
namespace {

__global__ void price_batch(int batch, int ticks, std::uint64_t* sum)
{
    std::uint64_t acc = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < ticks; i += gridDim.x * blockDim.x)
        acc += static_cast<std::uint64_t>(100 + (i % 7)) * (batch + 1);
    atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(acc));
}

}  // namespace

Pricer::Pricer(QuoteChannel& out, int max_batches, int ticks) : out_(out), ticks_(ticks)
{
    const std::size_t bytes = sizeof(std::uint64_t) * max_batches;
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ok(cudaMalloc(&d_sum_, bytes));
    ok(cudaMallocHost(&h_sum_, bytes));
    ok(cudaMemsetAsync(d_sum_, 0, bytes, stream_));
    tickets_.reserve(max_batches);
}

Pricer::~Pricer()
{
    cudaStreamSynchronize(stream_);
    cudaFreeHost(h_sum_);
    cudaFree(d_sum_);
    cudaStreamDestroy(stream_);
}

void CUDART_CB Pricer::deliver(void* p)
{
    const Ticket* t = static_cast<const Ticket*>(p);
    t->out->push(Quote{t->batch, *t->value});
}

void Pricer::submit(int batch)
{
    price_batch<<<32, 256, 0, stream_>>>(batch, ticks_, d_sum_ + batch);
    ok(cudaGetLastError());
    ok(cudaMemcpyAsync(h_sum_ + batch, d_sum_ + batch, sizeof(std::uint64_t),
                       cudaMemcpyDeviceToHost, stream_));
    tickets_.push_back(std::make_unique<Ticket>(Ticket{&out_, h_sum_ + batch, batch}));
    ok(cudaLaunchHostFunc(stream_, &Pricer::deliver, tickets_.back().get()));
}

void Pricer::flush()
{
    ok(cudaStreamSynchronize(stream_));
}

}  // namespace gw
