#pragma once
#include <map>
#include <vector>

#include "common.cuh"

namespace tr {
using Archive = std::map<int, std::vector<int>>;

// Codecs: how one weight goes into a checkpoint.
struct Fixed12 {
    static constexpr long long tileNs = 30000000;
    __host__ __device__ static int encode(float w) { return (int)(w * 4096.0f); }
};

template <class Codec>
__global__ void packWeights(const float* weights, int* packed, int n) {
    holdFor(Codec::tileNs);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) packed[i] = Codec::encode(weights[i]);
}

// Snapshot policy: nothing is kept.
struct NoSnapshots {
    NoSnapshots(int, Archive&) {}
    void guard(cudaStream_t) {}
    void take(int, const float*, cudaEvent_t) {}
    void drain() {}
};

// Snapshot policy: weights are packed on the device by a stream of its own while
// training goes on, two snapshots at most under way.
template <class Codec>
class PackedSnapshots {
public:
    PackedSnapshots(int n, Archive& archive) : n_(n), archive_(archive) {
        TR_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        for (Slot& s : ring_) {
            TR_CUDA(cudaMalloc(&s.packed, n_ * sizeof(int)));
            TR_CUDA(cudaMallocHost(&s.host, n_ * sizeof(int)));
            TR_CUDA(cudaEventCreateWithFlags(&s.packedAt, cudaEventDisableTiming));
            TR_CUDA(cudaEventCreateWithFlags(&s.landedAt, cudaEventDisableTiming));
        }
    }

    ~PackedSnapshots() {
        cudaStreamSynchronize(stream_);
        for (Slot& s : ring_) {
            cudaEventDestroy(s.landedAt);
            cudaEventDestroy(s.packedAt);
            cudaFreeHost(s.host);
            cudaFree(s.packed);
        }
        cudaStreamDestroy(stream_);
    }

    // Called by the trainer ahead of every change of the weights.
    void guard(cudaStream_t compute) {
        if (fence_) TR_CUDA(cudaStreamWaitEvent(compute, fence_, 0));
    }

    void take(int step, const float* weights, cudaEvent_t ready) {
        Slot& s = ring_.current();
        store(s);
        TR_CUDA(cudaStreamWaitEvent(stream_, ready, 0));
        packWeights<Codec><<<blocksFor(n_), 256, 0, stream_>>>(weights, s.packed, n_);
        TR_CUDA(cudaGetLastError());
        TR_CUDA(cudaEventRecord(s.packedAt, stream_));
        fence_ = s.packedAt;
        TR_CUDA(cudaMemcpyAsync(s.host, s.packed, n_ * sizeof(int), cudaMemcpyDeviceToHost,
                                stream_));
        TR_CUDA(cudaEventRecord(s.landedAt, stream_));
        s.step = step;
        ring_.advance();
    }

    void drain() {
        for (Slot& s : ring_) store(s);
    }
private:
    struct Slot {
        int* packed = nullptr;
        int* host = nullptr;
        cudaEvent_t packedAt = nullptr;
        cudaEvent_t landedAt = nullptr;
        int step = -1;
    };

    void store(Slot& s) {
        if (s.step < 0) return;
        TR_CUDA(cudaEventSynchronize(s.landedAt));
        archive_[s.step].assign(s.host, s.host + n_);
        s.step = -1;
    }

    int n_;
    Archive& archive_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t fence_ = nullptr;
    SlotRing<Slot, 2> ring_;
};
}  // namespace tr
