#include "lattice.h"

namespace lat {

__global__ void sweep_kernel(const Spin* __restrict__ in, Spin* __restrict__ out, int L, unsigned step) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (x >= L) return;
    int xe = (x + 1) % L, xw = (x + L - 1) % L;
    int yn = (y + L - 1) % L, ys = (y + 1) % L;
    out[y * L + x] = rotate(in[y * L + x], in[yn * L + x], in[ys * L + x],
                            in[y * L + xe], in[y * L + xw], step);
}

Lattice::Lattice(int extent)
    : L_(extent), a_(size_t(extent) * extent), b_(size_t(extent) * extent) {}

void Lattice::load(const std::vector<Spin>& host) {
    RT(cudaMemcpyAsync(current_mut().data(), host.data(), host.size() * sizeof(Spin),
                       cudaMemcpyHostToDevice, lane_.raw()));
    lane_.drain();
}

void Lattice::sweep(unsigned step) {
    Slab& out = next();
    out.reclaim(lane_);
    dim3 grid((L_ + 127) / 128, L_);
    sweep_kernel<<<grid, 128, 0, lane_.raw()>>>(current().data(), out.data(), L_, step);
    RT(cudaGetLastError());
    now_ ^= 1;
}

}  // namespace lat
