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
        check(cudaEventCreateWithFlags(&s.consumed, cudaEventDisableTiming));
    }
    for (Point*& b : banks_) check(cudaMalloc(reinterpret_cast<void**>(&b), bytes_));
}

SweepStore::~SweepStore()
{
    cudaStreamSynchronize(copy_);
    for (Point* b : banks_) cudaFree(b);
    for (Slot& s : slots_) {
        cudaEventDestroy(s.consumed);
        cudaEventDestroy(s.uploaded);
        cudaFreeHost(s.points);
    }
    cudaStreamDestroy(copy_);
}

void SweepStore::upload(const Sweep& sweep)
{
    Slot& s = slot(sweep);
    check(cudaStreamWaitEvent(copy_, s.consumed, 0));
    check(cudaMemcpyAsync(bank(sweep), s.points, bytes_, cudaMemcpyHostToDevice, copy_));
    check(cudaEventRecord(s.uploaded, copy_));
}

}  // namespace lidar
