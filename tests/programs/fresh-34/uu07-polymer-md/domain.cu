#include "md/domain.h"

namespace md {
namespace {

__device__ long long now_ns() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return static_cast<long long>(t);
}

__global__ void pack_kernel(const double* __restrict__ u, int first, double* wire, long long cost_ns) {
    const long long begin = now_ns();
    while (now_ns() - begin < cost_ns) {
    }
    const int i = threadIdx.x;
    if (i < kReach) wire[i] = u[first + i];
}

__global__ void kick_kernel(const double* __restrict__ u, double* v, int n, double dt, double k1, double k2,
                            double k3) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double* c = u + i + kReach;
    const double near = c[-1] + c[1] - 2.0 * c[0];
    const double far = c[-2] + c[2] - 2.0 * c[0];
    v[i] += dt * (k1 * near + k2 * far - k3 * c[0] * c[0] * c[0]);
}

__global__ void drift_kernel(double* u, const double* __restrict__ v, int n, double dt) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) u[i + kReach] += dt * v[i];
}

constexpr int kThreads = 128;

int blocks_for(int n) { return (n + kThreads - 1) / kThreads; }

}  // namespace

Domain::Domain(const Parameters& p, int rank)
    : p_(p), rank_(rank), u_(p.beads_per_domain + 2 * kReach), v_(p.beads_per_domain) {}

void Domain::load(const Trajectory& t) {
    const std::size_t first = static_cast<std::size_t>(rank_) * beads();
    const std::size_t bytes = beads() * sizeof(double);
    MD_CUDA(cudaMemcpy(u_.data() + kReach, t.u.data() + first, bytes, cudaMemcpyHostToDevice));
    MD_CUDA(cudaMemcpy(v_.data(), t.v.data() + first, bytes, cudaMemcpyHostToDevice));
    MD_CUDA(cudaDeviceSynchronize());
}

void Domain::store(Trajectory& t) {
    const std::size_t first = static_cast<std::size_t>(rank_) * beads();
    const std::size_t bytes = beads() * sizeof(double);
    compute_.synchronize();
    MD_CUDA(cudaMemcpy(t.u.data() + first, u_.data() + kReach, bytes, cudaMemcpyDeviceToHost));
    MD_CUDA(cudaMemcpy(t.v.data() + first, v_.data(), bytes, cudaMemcpyDeviceToHost));
}

void Domain::pack_face(Face face, double* wire) {
    const int first = face == kLow ? kReach : beads();
    pack_kernel<<<1, 32, 0, compute_>>>(u_.data(), first, wire, p_.pack_ns);
    MD_CUDA(cudaGetLastError());
}

void Domain::kick() {
    kick_kernel<<<blocks_for(beads()), kThreads, 0, compute_>>>(u_.data(), v_.data(), beads(), p_.dt, p_.k_near,
                                                               p_.k_far, p_.k_cubic);
    MD_CUDA(cudaGetLastError());
}

void Domain::drift() {
    drift_kernel<<<blocks_for(beads()), kThreads, 0, compute_>>>(u_.data(), v_.data(), beads(), p_.dt);
    MD_CUDA(cudaGetLastError());
}

double* Domain::ghost(Face face) { return face == kLow ? u_.data() : u_.data() + kReach + beads(); }

}  // namespace md
