#include "sweep_store.h"

namespace lidar {

SweepStore::SweepStore(const Config& config)
    : bytes_(sizeof(Point) * config.pointsPerSweep),
      slots_(config.hostSlots),
      banks_(config.deviceBanks)
{
    check(cudaStreamCreateWithFlags(&copy_, cudaStreamNonBlocking));
    for (Slot& s : slots_) {
        check(cudaMallocHost(reinterpret_cast<void**>(&s.points), bytes_));
        check(cudaEventCreateWithFlags(&s.uploaded, cudaEventDisableTiming));
    }
    for (Bank& b : banks_) {
        check(cudaMalloc(reinterpret_cast<void**>(&b.points), bytes_));
        check(cudaEventCreateWithFlags(&b.consumed, cudaEventDisableTiming));
    }
}

SweepStore::~SweepStore()
{
    cudaStreamSynchronize(copy_);
    for (Bank& b : banks_) {
        cudaFree(b.points);
        cudaEventDestroy(b.consumed);
    }
    for (Slot& s : slots_) {
        cudaEventDestroy(s.uploaded);
        cudaFreeHost(s.points);
    }
    cudaStreamDestroy(copy_);
}

void SweepStore::upload(const Sweep& sweep)
{
    Slot& s = slot(sweep);
    Bank& b = bank(sweep);
    check(cudaStreamWaitEvent(copy_, b.consumed, 0));
    check(cudaMemcpyAsync(b.points, s.points, bytes_, cudaMemcpyHostToDevice, copy_));
    check(cudaEventRecord(s.uploaded, copy_));
}

}  // namespace lidar
