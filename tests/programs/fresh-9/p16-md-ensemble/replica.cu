#include "replica.h"

namespace md {
namespace {

__global__ void seed(std::uint32_t* x, int n, int id) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = static_cast<std::uint32_t>(id * 1000003 + i * 17);
}

__global__ void forces(const std::uint32_t* x, std::uint32_t* f, int n, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        f[i] = (x[i] >> 3) + x[(i + 1) % n] * 5u + 1u;
}

__global__ void integrate(std::uint32_t* x, const std::uint32_t* f, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += f[i];
}

__global__ void tick(std::uint32_t* counter) { *counter += 1u; }

}  // namespace

Replica::Replica(int id, const Settings& s) : id_(id), set_(s) {
    cudaStream_t raw = nullptr;
    GPU(cudaStreamCreateWithFlags(&raw, cudaStreamNonBlocking));
    stream_.reset(raw);

    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    cudaMemPool_t pool = nullptr;
    GPU(cudaMemPoolCreate(&pool, &props));
    pool_.reset(pool);
    std::uint64_t keep = UINT64_MAX;
    GPU(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));

    x_ = device_array<std::uint32_t>(set_.atoms);
    seed<<<(set_.atoms + 255) / 256, 256, 0, raw>>>(x_.get(), set_.atoms, id_);
    GPU(cudaGetLastError());
}

void Replica::step() {
    cudaStream_t s = stream_.get();
    Scratch<std::uint32_t> f(set_.atoms, pool_.get(), s);
    forces<<<24, 256, 0, s>>>(x_.get(), f.get(), set_.atoms, set_.force_ns);
    GPU(cudaGetLastError());
    integrate<<<(set_.atoms + 255) / 256, 256, 0, s>>>(x_.get(), f.get(), set_.atoms);
    GPU(cudaGetLastError());
    ++steps_;
}

std::vector<std::uint32_t> Replica::positions() const {
    std::vector<std::uint32_t> v(set_.atoms);
    GPU(cudaMemcpyAsync(v.data(), x_.get(), v.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream_.get()));
    GPU(cudaStreamSynchronize(stream_.get()));
    return v;
}

Monitor::Monitor() : counter_(device_array<std::uint32_t>(1)) {
    GPU(cudaMemset(counter_.get(), 0, sizeof(std::uint32_t)));
}

std::uint32_t Monitor::beat() {
    std::uint32_t value = 0;
    tick<<<1, 1>>>(counter_.get());
    GPU(cudaGetLastError());
    GPU(cudaMemcpy(&value, counter_.get(), sizeof(value), cudaMemcpyDeviceToHost));
    return value;
}

}  // namespace md
