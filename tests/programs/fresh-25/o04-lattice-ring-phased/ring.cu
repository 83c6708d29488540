#include "lattice.cuh"

#include <utility>

namespace lattice {
namespace {

__global__ void advance_kernel(const std::uint32_t* cur, std::uint32_t* nxt, std::uint32_t* outbox,
                               int cells, std::uint32_t step, unsigned cost_ms) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < cost_ms * 1000000ull);

    for (int i = threadIdx.x + 1; i <= cells; i += blockDim.x) {
        const std::uint32_t v = collide(cur[i - 1], cur[i], cur[i + 1], step);
        nxt[i] = v;
        if (i == 1) outbox[0] = v;
        if (i == cells) outbox[1] = v;
    }
}

__global__ void unpack_kernel(std::uint32_t* sites, int cells, const std::uint32_t* left_outbox,
                              const std::uint32_t* right_outbox) {
    if (threadIdx.x == 0) sites[0] = left_outbox[1];
    if (threadIdx.x == 1) sites[cells + 1] = right_outbox[0];
}

}  // namespace

Ring::Ring(int domains, int cells_per_domain, const std::vector<std::uint32_t>& sites)
    : cells_(cells_per_domain), domains_(domains) {
    const int total = domains * cells_;
    const std::size_t padded = sizeof(std::uint32_t) * (cells_ + 2);
    std::vector<std::uint32_t> block(cells_ + 2);
    for (int k = 0; k < domains; ++k) {
        Domain& d = domains_[k];
        d.index = k;
        d.cells = cells_;
        d.cost_ms = 10u * (k + 1);
        LATTICE_CHECK(cudaStreamCreateWithFlags(&d.stream, cudaStreamNonBlocking));
        LATTICE_CHECK(cudaEventCreateWithFlags(&d.posted, cudaEventDisableTiming));
        LATTICE_CHECK(cudaMalloc(&d.current, padded));
        LATTICE_CHECK(cudaMalloc(&d.next, padded));
        for (auto*& box : d.outbox) {
            LATTICE_CHECK(cudaMalloc(&box, 2 * sizeof(std::uint32_t)));
            LATTICE_CHECK(cudaMemset(box, 0, 2 * sizeof(std::uint32_t)));
        }
        for (int i = 0; i < cells_ + 2; ++i)
            block[i] = sites[(k * cells_ + i - 1 + total) % total];
        LATTICE_CHECK(cudaMemcpy(d.current, block.data(), padded, cudaMemcpyHostToDevice));
    }
    LATTICE_CHECK(cudaDeviceSynchronize());
}

Ring::~Ring() {
    for (Domain& d : domains_) {
        cudaFree(d.current);
        cudaFree(d.next);
        cudaFree(d.outbox[0]);
        cudaFree(d.outbox[1]);
        cudaEventDestroy(d.posted);
        cudaStreamDestroy(d.stream);
    }
}

Domain& Ring::neighbour(const Domain& d, int offset) {
    const int n = static_cast<int>(domains_.size());
    return domains_[(d.index + offset + n) % n];
}

void Ring::advance(Domain& d, int step) {
    advance_kernel<<<1, 256, 0, d.stream>>>(d.current, d.next, d.outbox[step & 1], d.cells,
                                            static_cast<std::uint32_t>(step), d.cost_ms);
    LATTICE_CHECK(cudaGetLastError());
    LATTICE_CHECK(cudaEventRecord(d.posted, d.stream));
    std::swap(d.current, d.next);
}

void Ring::exchange(Domain& d, int step) {
    const Domain& left = neighbour(d, -1);
    const Domain& right = neighbour(d, +1);
    LATTICE_CHECK(cudaStreamWaitEvent(d.stream, left.posted, 0));
    LATTICE_CHECK(cudaStreamWaitEvent(d.stream, right.posted, 0));
    unpack_kernel<<<1, 32, 0, d.stream>>>(d.current, d.cells, left.outbox[step & 1],
                                          right.outbox[step & 1]);
    LATTICE_CHECK(cudaGetLastError());
}

void Ring::run(int steps) {
    for (int step = 0; step < steps; ++step) {
        for (Domain& d : domains_) advance(d, step);
        for (Domain& d : domains_) exchange(d, step);
    }
    for (Domain& d : domains_) LATTICE_CHECK(cudaStreamSynchronize(d.stream));
}

std::vector<std::uint32_t> Ring::gather() {
    std::vector<std::uint32_t> out(domains_.size() * cells_);
    for (const Domain& d : domains_)
        LATTICE_CHECK(cudaMemcpy(out.data() + d.index * cells_, d.current + 1,
                                 sizeof(std::uint32_t) * cells_, cudaMemcpyDeviceToHost));
    return out;
}

}  // namespace lattice
