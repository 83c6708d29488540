#include "book.cuh"

namespace risk {

__global__ void shock_positions(const double* price, double* loss, int n, double shock, long long ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while ((long long)(now - begin) < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        loss[i] = price[i] * shock;
}

Book::Book(int count, int desk) : n(count) {
    const size_t bytes = sizeof(double) * n;
    GPU(cudaMallocHost(&prices, bytes));
    GPU(cudaMallocHost(&losses, bytes));
    GPU(cudaMalloc(&d_prices, bytes));
    GPU(cudaMalloc(&d_losses, bytes));
    for (int i = 0; i < n; ++i) prices[i] = double(desk + 1) + double(i % 16);
}

Book::~Book() {
    cudaFreeHost(prices);
    cudaFreeHost(losses);
    cudaFree(d_prices);
    cudaFree(d_losses);
}

double revalue(Book& b, double shock) {
    const size_t bytes = sizeof(double) * b.n;
    GPU(cudaMemcpyAsync(b.d_prices, b.prices, bytes, cudaMemcpyHostToDevice, cudaStreamPerThread));
    shock_positions<<<8, 256, 0, cudaStreamPerThread>>>(b.d_prices, b.d_losses, b.n, shock, 30'000'000);
    GPU(cudaGetLastError());
    GPU(cudaMemcpyAsync(b.losses, b.d_losses, bytes, cudaMemcpyDeviceToHost, cudaStreamPerThread));
    GPU(cudaStreamSynchronize(cudaStreamPerThread));
    double total = 0;
    for (int i = 0; i < b.n; ++i) total += b.losses[i];
    return total;
}

}  // namespace risk
