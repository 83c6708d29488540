#include <cstdio>
#include <cstdlib>

#include "rank.h"

void expect_ok(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

void expect_ok(CUresult r) {
    if (r != CUDA_SUCCESS) {
        const char* name = "unknown";
        cuGetErrorName(r, &name);
        std::printf("ERROR %s\n", name);
        std::exit(1);
    }
}

namespace {

__host__ __device__ uint32_t blend(uint32_t l, uint32_t c, uint32_t r) { return (l + 2u * c + r) * 2654435761u + 1u; }

__global__ void smooth(const uint32_t* in, uint32_t* out, int n, const uint32_t* peer_edges, uint32_t* my_edges,
                       unsigned long long ns) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < ns);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uint32_t l = i ? in[i - 1] : peer_edges[1];
    const uint32_t r = i + 1 < n ? in[i + 1] : peer_edges[0];
    const uint32_t v = blend(l, in[i], r);
    out[i] = v;
    if (i == 0) my_edges[0] = v;
    if (i == n - 1) my_edges[1] = v;
}

}  // namespace

uint32_t mix(uint32_t l, uint32_t c, uint32_t r) { return blend(l, c, r); }

Rank::Rank(const Domain& d, int id, const uint32_t* initial) : domain_(d) {
    const size_t bytes = d.cells * sizeof(uint32_t);
    const uint32_t* mine = initial + static_cast<size_t>(id) * d.cells;
    const uint32_t edges[4] = {mine[0], mine[d.cells - 1], 0u, 0u};
    for (auto& f : field_) expect_ok(cudaMalloc(&f, bytes));
    expect_ok(cudaMalloc(&edges_, sizeof edges));
    expect_ok(cudaMalloc(&progress_, sizeof(uint32_t)));
    expect_ok(cudaMemcpy(field_[0], mine, bytes, cudaMemcpyHostToDevice));
    expect_ok(cudaMemcpy(edges_, edges, sizeof edges, cudaMemcpyHostToDevice));
    expect_ok(cudaMemset(progress_, 0, sizeof(uint32_t)));
    expect_ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    expect_ok(cudaDeviceSynchronize());
}

Rank::~Rank() {
    cudaStreamDestroy(stream_);
    cudaFree(progress_);
    cudaFree(edges_);
    for (auto f : field_) cudaFree(f);
}

void Rank::sweep(int it, const Rank& peer) {
    const int now = it & 1, then = now ^ 1;
    smooth<<<domain_.cells / 256, 256, 0, stream_>>>(field_[now], field_[then], domain_.cells, peer.edges_ + 2 * now,
                                                     edges_ + 2 * then, domain_.sweep_ns);
    expect_ok(cudaGetLastError());
}

void Rank::announce(int it) {
    expect_ok(cuStreamWriteValue32(stream_, reinterpret_cast<CUdeviceptr>(progress_), it + 1, CU_STREAM_WRITE_VALUE_DEFAULT));
}

void Rank::await(int it, const Rank& peer) {
    expect_ok(cuStreamWaitValue32(stream_, reinterpret_cast<CUdeviceptr>(peer.progress_), it + 1, CU_STREAM_WAIT_VALUE_GEQ));
}

void Rank::fetch(uint32_t* out) const {
    expect_ok(cudaMemcpy(out, field_[domain_.sweeps & 1], domain_.cells * sizeof(uint32_t), cudaMemcpyDeviceToHost));
}
