#include "book.cuh"

namespace {

__global__ void merge_kernel(Tick* book, const Tick* delta, std::size_t n) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        book[i] += delta[i];
}

// Monte Carlo repricing, modelled by its running time.
__global__ void reprice_kernel(unsigned* risk, unsigned long long ns) {
    unsigned long long begin, t;
    unsigned steps = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        ++steps;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - begin < ns);
    if (threadIdx.x == 0) *risk = steps;
}

}  // namespace

DeviceBook::DeviceBook(Session& session, Uploader& uploader, std::size_t levels)
    : session_(session), uploader_(uploader), levels_(levels) {
    ok(cudaMalloc(&book_, levels * sizeof(Tick)));
    ok(cudaMalloc(&delta_, levels * sizeof(Tick)));
    ok(cudaMalloc(&risk_, sizeof(unsigned)));
    ok(cudaEventCreateWithFlags(&loaded_, cudaEventDisableTiming));
    merge_kernel<<<1, 32, 0, session_.compute>>>(book_, delta_, 0);
    reprice_kernel<<<1, 32, 0, session_.compute>>>(risk_, 0);
    ok(cudaStreamSynchronize(session_.compute));
}

DeviceBook::~DeviceBook() {
    cudaEventDestroy(loaded_);
    cudaFree(risk_);
    cudaFree(delta_);
    cudaFree(book_);
}

void DeviceBook::load(const std::vector<Tick>& snapshot) {
    uploader_.push(snapshot.data(), snapshot.size(), book_, session_.transfer);
    ok(cudaEventRecord(loaded_, session_.transfer));
    ok(cudaStreamWaitEvent(session_.compute, loaded_, 0));
}

void DeviceBook::apply(const std::vector<Tick>& delta) {
    uploader_.push(delta.data(), delta.size(), delta_, session_.compute);
    merge_kernel<<<64, 256, 0, session_.compute>>>(book_, delta_, levels_);
    ok(cudaGetLastError());
}

void DeviceBook::reprice(unsigned micros) {
    reprice_kernel<<<1, 32, 0, session_.compute>>>(risk_, micros * 1000ull);
    ok(cudaGetLastError());
}

std::vector<Tick> DeviceBook::read() {
    std::vector<Tick> out(levels_);
    ok(cudaMemcpyAsync(out.data(), book_, levels_ * sizeof(Tick), cudaMemcpyDeviceToHost, session_.compute));
    ok(cudaStreamSynchronize(session_.compute));
    return out;
}
