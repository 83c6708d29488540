#include "strip.cuh"

#include <utility>

__device__ static inline long long wall_ns() {
    long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

__device__ static inline float stencil(const float* u, int nx, int r, int c, float alpha) {
    const float* q = u + size_t(r) * nx + c;
    return q[0] + alpha * (q[-1] + q[1] + q[-nx] + q[nx] - 4.0f * q[0]);
}

__global__ void contact_layer(float* next, const float* cur, int nx, int row, float alpha, float heat, long long chem_ns) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    // stiff chemistry of the contact layer, modelled by its run time
    for (long long end = wall_ns() + chem_ns; wall_ns() < end;) {
    }
    if (c <= 0 || c >= nx - 1) return;
    next[size_t(row) * nx + c] = stencil(cur, nx, row, c, alpha) + heat;
}

__global__ void bulk(float* next, const float* cur, int nx, int first, int last, float alpha) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = first + blockIdx.y;
    if (c <= 0 || c >= nx - 1 || r > last) return;
    next[size_t(r) * nx + c] = stencil(cur, nx, r, c, alpha);
}

Strip::Strip(const Params& p, bool contact_at_bottom) : p_(p), bottom_(contact_at_bottom) {
    require(cudaStreamCreateWithFlags(&compute_, cudaStreamNonBlocking));
    require(cudaStreamCreateWithFlags(&exchange_, cudaStreamNonBlocking));
    require(cudaEventCreateWithFlags(&contact_ready_, cudaEventDisableTiming));
    require(cudaEventCreateWithFlags(&ghost_filled_, cudaEventDisableTiming));
    require(cudaMalloc(&cur_, bytes()));
    require(cudaMalloc(&next_, bytes()));
}

Strip::~Strip() {
    cudaFree(cur_);
    cudaFree(next_);
    cudaEventDestroy(contact_ready_);
    cudaEventDestroy(ghost_filled_);
    cudaStreamDestroy(compute_);
    cudaStreamDestroy(exchange_);
}

void Strip::upload(const std::vector<float>& field) {
    require(cudaMemcpyAsync(cur_, field.data(), bytes(), cudaMemcpyHostToDevice, compute_));
    require(cudaMemcpyAsync(next_, field.data(), bytes(), cudaMemcpyHostToDevice, compute_));
    require(cudaStreamSynchronize(compute_));
}

std::vector<float> Strip::download() const {
    std::vector<float> field(bytes() / sizeof(float));
    require(cudaMemcpyAsync(field.data(), cur_, bytes(), cudaMemcpyDeviceToHost, compute_));
    require(cudaStreamSynchronize(compute_));
    return field;
}

void Strip::advance_contact(float heat) {
    contact_layer<<<(p_.nx + 255) / 256, 256, 0, compute_>>>(next_, cur_, p_.nx, contact_row(), p_.alpha, heat,
                                                            p_.chem_us * 1000ll);
    require(cudaGetLastError());
}

void Strip::advance_bulk() {
    int first = bottom_ ? 1 : 2, last = bottom_ ? p_.rows - 1 : p_.rows;
    dim3 grid((p_.nx + 255) / 256, last - first + 1);
    bulk<<<grid, 256, 0, compute_>>>(next_, cur_, p_.nx, first, last, p_.alpha);
    require(cudaGetLastError());
}

void Strip::send_contact_to(Strip& peer) {
    require(cudaStreamWaitEvent(exchange_, contact_ready_, 0));
    require(cudaMemcpyAsync(peer.next_ + size_t(peer.ghost_row()) * p_.nx, next_ + size_t(contact_row()) * p_.nx,
                            sizeof(float) * p_.nx, cudaMemcpyDeviceToDevice, exchange_));
    require(cudaEventRecord(peer.ghost_filled_, exchange_));
}
