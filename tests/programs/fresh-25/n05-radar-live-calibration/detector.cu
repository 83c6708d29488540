#include "detector.h"
#include <atomic>
#include <thread>

namespace radar {

namespace {

__global__ void detectorLoop(Mailbox* box) {
    __shared__ int command;
    unsigned seen = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            while (box->ticket == seen) __nanosleep(200);
            __threadfence_system();
            command = box->command;
        }
        __syncthreads();
        ++seen;
        int mine = command;
        if (mine == static_cast<int>(Command::Process)) {
            const volatile float* table = box->table;
            for (int i = threadIdx.x; i < kSamples; i += blockDim.x) {
                box->detections[i] = box->samples[i] * table[i * 2];
            }
        }
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) box->finished = seen;
        if (mine == static_cast<int>(Command::Quit)) return;
    }
}

}  // namespace

ResidentDetector::ResidentDetector()
    : active_(std::make_unique<CalibrationTable>()),
      standby_(std::make_unique<CalibrationTable>()) {
    ensure(cudaStreamCreateWithFlags(&loopStream_, cudaStreamNonBlocking));
    ensure(cudaStreamCreateWithFlags(&uploadStream_, cudaStreamNonBlocking));
    void* p = nullptr;
    ensure(cudaHostAlloc(&p, sizeof(Mailbox), cudaHostAllocMapped));
    mailbox_ = static_cast<Mailbox*>(p);
    mailbox_->ticket = 0;
    mailbox_->finished = 0;
    mailbox_->command = static_cast<int>(Command::Idle);
    mailbox_->table = nullptr;
    ensure(cudaHostGetDevicePointer(reinterpret_cast<void**>(&mailboxDevice_), mailbox_, 0));
    ensure(cudaMallocHost(reinterpret_cast<void**>(&stage_), kTableEntries * sizeof(float)));
}

ResidentDetector::~ResidentDetector() {
    if (running_) stop();
    cudaFreeHost(stage_);
    cudaFreeHost(mailbox_);
    cudaStreamDestroy(uploadStream_);
    cudaStreamDestroy(loopStream_);
}

void ResidentDetector::start(float gain) {
    active_->load(gain, stage_, uploadStream_);
    mailbox_->table = active_->device();
    detectorLoop<<<1, 128, 0, loopStream_>>>(mailboxDevice_);
    ensure(cudaGetLastError());
    running_ = true;
}

void ResidentDetector::post(Command command) {
    mailbox_->command = static_cast<int>(command);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    mailbox_->ticket = ++tickets_;
    while (mailbox_->finished != tickets_) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

void ResidentDetector::process(const std::vector<float>& sweep, std::vector<float>& detections) {
    for (int i = 0; i < kSamples; ++i) mailbox_->samples[i] = sweep[i];
    post(Command::Process);
    detections.resize(kSamples);
    for (int i = 0; i < kSamples; ++i) detections[i] = mailbox_->detections[i];
}

void ResidentDetector::recalibrate(float gain) {
    standby_->load(gain, stage_, uploadStream_);
    mailbox_->table = standby_->device();
    active_ = std::move(standby_);
}

void ResidentDetector::stop() {
    post(Command::Quit);
    ensure(cudaStreamSynchronize(loopStream_));
    running_ = false;
}

}  // namespace radar
