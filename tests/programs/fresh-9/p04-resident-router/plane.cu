#include "router.h"
#include <atomic>
#include <cstring>
#include <thread>

namespace router {
namespace {

__global__ void clear_table(std::uint32_t* table, std::uint32_t hop) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kBuckets) table[i] = hop;
}

__global__ void forward(Mailbox* box, const std::uint32_t* table) {
    __shared__ std::uint32_t seq;
    std::uint32_t seen = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            std::uint32_t r;
            while ((r = box->request) == seen && !box->shutdown) __nanosleep(200);
            seq = r;
            __threadfence_system();
        }
        __syncthreads();
        if (seq == seen) return;
        seen = seq;
        const std::uint32_t address = box->address[threadIdx.x];
        box->hop[threadIdx.x] = __ldcg(&table[address >> 16]);
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) box->response = seen;
    }
}

}  // namespace

ForwardingPlane::ForwardingPlane(const Options& opt) : opt_(opt) {
    check(cudaSetDevice(opt.device));
    check(cudaStreamCreateWithFlags(&data_, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&control_, cudaStreamNonBlocking));
    check(cudaHostAlloc(reinterpret_cast<void**>(&box_), sizeof(Mailbox), cudaHostAllocMapped));
    std::memset(const_cast<void*>(static_cast<volatile void*>(box_)), 0, sizeof(Mailbox));
    check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&box_dev_), box_, 0));
    check(cudaHostAlloc(reinterpret_cast<void**>(&staging_), opt.max_routes * sizeof(Route), cudaHostAllocDefault));
    check(cudaMalloc(&routes_, opt.max_routes * sizeof(Route)));
    check(cudaMalloc(&table_, kBuckets * sizeof(std::uint32_t)));
    clear_table<<<kBuckets / 256, 256, 0, control_>>>(table_, opt.default_hop);
    check(cudaGetLastError());
    check(cudaStreamSynchronize(control_));
    preload_table_kernels();
}

ForwardingPlane::~ForwardingPlane() {
    if (running_) {
        box_->shutdown = 1;
        cudaStreamSynchronize(data_);
    }
    cudaFree(table_);
    cudaFree(routes_);
    cudaFreeHost(staging_);
    cudaFreeHost(box_);
    cudaStreamDestroy(control_);
    cudaStreamDestroy(data_);
}

void ForwardingPlane::start() {
    forward<<<1, kBatch, 0, data_>>>(box_dev_, table_);
    check(cudaGetLastError());
    running_ = true;
}

void ForwardingPlane::stop() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    box_->shutdown = 1;
    check(cudaStreamSynchronize(data_));
    running_ = false;
}

void ForwardingPlane::publish(const std::vector<Route>& routes) {
    if (routes.size() > opt_.max_routes) throw std::length_error("too many routes");
    std::memcpy(staging_, routes.data(), routes.size() * sizeof(Route));
    check(cudaMemcpyAsync(routes_, staging_, routes.size() * sizeof(Route), cudaMemcpyHostToDevice, control_));
    launch_install(table_, routes_, static_cast<int>(routes.size()), control_);
    check(cudaStreamSynchronize(control_));
}

void ForwardingPlane::resolve(const std::vector<std::uint32_t>& addresses, std::vector<std::uint32_t>& hops) {
    hops.resize(addresses.size());
    for (std::size_t base = 0; base < addresses.size(); base += kBatch) {
        const std::size_t n = addresses.size() - base < kBatch ? addresses.size() - base : kBatch;
        for (std::size_t i = 0; i < kBatch; ++i) box_->address[i] = i < n ? addresses[base + i] : 0u;
        std::atomic_thread_fence(std::memory_order_seq_cst);
        box_->request = ++seq_;
        while (box_->response != seq_) std::this_thread::yield();
        std::atomic_thread_fence(std::memory_order_seq_cst);
        for (std::size_t i = 0; i < n; ++i) hops[base + i] = box_->hop[i];
    }
}

}  // namespace router
