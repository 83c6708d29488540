#include "archive.h"

namespace plasma {
namespace {

__host__ __device__ inline uint32_t salt(int index) { return uint32_t(index) * 0x9e3779b1u; }

__global__ void pack_kernel(const uint32_t* positions, uint32_t* packed, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) packed[i] = positions[i];
}

// Predictor, context model and range coder of one block of particles; the model
// is sequential and dominates.
__global__ void encode_kernel(const uint32_t* packed, uint32_t* encoded, int n, unsigned long long model_ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < model_ns);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) encoded[i] = (packed[i] - (i ? packed[i - 1] : 0u)) ^ salt(i);
}

}  // namespace

uint32_t decode(uint32_t encoded, uint32_t previous, int index) { return (encoded ^ salt(index)) + previous; }

Archive::Archive(int particles, int slots) : particles_(particles), slots_(slots) {
    const size_t bytes = sizeof(uint32_t) * particles_;
    guard(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (Slot& slot : slots_) {
        guard(cudaMalloc(&slot.packed, bytes));
        guard(cudaMalloc(&slot.encoded, bytes));
        guard(cudaMallocHost(&slot.staging, bytes));
        for (int i = 0; i < particles_; ++i) slot.staging[i] = 0;
        guard(cudaEventCreateWithFlags(&slot.packed_at, cudaEventDisableTiming));
        guard(cudaEventCreateWithFlags(&slot.arrived, cudaEventDisableTiming));
    }
    writer_ = std::thread(&Archive::store_loop, this);
}

Archive::~Archive() {
    finish();
    cudaStreamSynchronize(stream_);
    for (Slot& slot : slots_) {
        cudaEventDestroy(slot.arrived);
        cudaEventDestroy(slot.packed_at);
        cudaFreeHost(slot.staging);
        cudaFree(slot.encoded);
        cudaFree(slot.packed);
    }
    cudaStreamDestroy(stream_);
}

void Archive::snapshot(int step, const uint32_t* positions, cudaStream_t solver) {
    unsigned ticket;
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return issued_ - stored_ < slots_.size(); });
        ticket = issued_++;
    }
    Slot& slot = slot_of(ticket);
    const int blocks = (particles_ + 255) / 256;
    const size_t bytes = sizeof(uint32_t) * particles_;

    guard(cudaStreamWaitEvent(solver, slot.arrived, 0));
    pack_kernel<<<blocks, 256, 0, solver>>>(positions, slot.packed, particles_);
    guard(cudaEventRecord(slot.packed_at, solver));

    guard(cudaStreamWaitEvent(stream_, slot.packed_at, 0));
    encode_kernel<<<blocks, 256, 0, stream_>>>(slot.packed, slot.encoded, particles_, 40000000ull);
    guard(cudaGetLastError());
    guard(cudaMemcpyAsync(slot.staging, slot.encoded, bytes, cudaMemcpyDeviceToHost, stream_));
    guard(cudaEventRecord(slot.arrived, stream_));

    {
        std::lock_guard<std::mutex> lock(mutex_);
        jobs_.push_back(Job{step, ticket});
    }
    changed_.notify_all();
}

void Archive::store_loop() {
    guard(cudaSetDevice(0));
    unsigned taken = 0;
    for (;;) {
        Job job;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            changed_.wait(lock, [&] { return closing_ || !jobs_.empty(); });
            if (jobs_.empty()) return;
            job = jobs_.front();
            jobs_.pop_front();
            ++taken;
        }
        guard(cudaEventSynchronize(slot_of(taken).arrived));
        const uint32_t* staging = slot_of(job.ticket).staging;
        Blob blob(staging, staging + particles_);
        {
            std::lock_guard<std::mutex> lock(mutex_);
            files_[job.step] = std::move(blob);
            ++stored_;
        }
        changed_.notify_all();
    }
}

const std::map<int, Archive::Blob>& Archive::finish() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        closing_ = true;
    }
    changed_.notify_all();
    if (writer_.joinable()) writer_.join();
    return files_;
}

}  // namespace plasma
