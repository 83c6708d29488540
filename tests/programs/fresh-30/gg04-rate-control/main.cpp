#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <optional>
#include <vector>

#include "clerk.h"
#include "codec.cuh"

using namespace xcode;

namespace {

constexpr int kSegments = 24;
constexpr int kDepth = 3;

[[noreturn]] void die(const char* name) {
    std::printf("ERROR %s\n", name);
    std::fflush(stdout);
    std::_Exit(1);
}

void check(cudaError_t e) {
    if (e != cudaSuccess) die(cudaGetErrorName(e));
}

void check(CUresult r) {
    if (r == CUDA_SUCCESS) return;
    const char* name = "CUDA_ERROR_UNKNOWN";
    cuGetErrorName(r, &name);
    die(name);
}

template <class T>
T* device_array(size_t n) {
    T* p = nullptr;
    check(cudaMalloc(reinterpret_cast<void**>(&p), n * sizeof(T)));
    check(cudaMemset(p, 0, n * sizeof(T)));
    return p;
}

template <class T>
T* locked_array(size_t n) {
    T* p = nullptr;
    check(cudaHostAlloc(reinterpret_cast<void**>(&p), n * sizeof(T), cudaHostAllocMapped));
    std::memset(static_cast<void*>(p), 0, n * sizeof(T));
    return p;
}

// A 32-bit counter that streams wait for.
class Dial {
public:
    explicit Dial(uint32_t* word) : word_(word) {
        void* d = nullptr;
        check(cudaHostGetDevicePointer(&d, word, 0));
        address_ = reinterpret_cast<CUdeviceptr>(d);
    }
    void await(cudaStream_t s, uint32_t at_least) const {
        check(cuStreamWaitValue32(s, address_, at_least, CU_STREAM_WAIT_VALUE_GEQ));
    }
    void set(cudaStream_t s, uint32_t value) const {
        check(cuStreamWriteValue32(s, address_, value, CU_STREAM_WRITE_VALUE_DEFAULT));
    }
    uint32_t* word() const { return word_; }

private:
    uint32_t* word_;
    CUdeviceptr address_ = 0;
};

struct Slot {
    uint32_t* samples;
    uint32_t* coded;
    cudaEvent_t decoded;
    cudaEvent_t filtered;
};

struct Notice {
    Clerk* clerk;
    int segment;
};

void CUDART_CB deliver(void* p) {
    const Notice* n = static_cast<const Notice*>(p);
    n->clerk->announce(n->segment);
}

void CUDART_CB nothing(void*) {}

struct Lanes {
    cudaStream_t decode, filter, pack;
    Lanes() {
        for (cudaStream_t* s : {&decode, &filter, &pack}) check(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
    }
    ~Lanes() {
        for (cudaStream_t s : {decode, filter, pack}) cudaStreamDestroy(s);
    }
};

void first_touch(const Lanes& l) {
    decode(nullptr, nullptr, 0, 0, l.decode);
    check(cudaGetLastError());
    filter(nullptr, nullptr, nullptr, 0, l.filter);
    check(cudaGetLastError());
    pack(nullptr, nullptr, 0, 0, l.pack);
    check(cudaGetLastError());
    check(cudaLaunchHostFunc(l.decode, nothing, nullptr));
    for (cudaStream_t s : {l.decode, l.filter, l.pack}) check(cudaStreamSynchronize(s));
}

std::vector<unsigned long long> expected() {
    RateModel model;
    std::vector<unsigned long long> digest(kSegments, 0);
    for (int k = 0; k < kSegments; ++k) {
        SegmentStats s{};
        for (int i = 0; i < kSegmentSamples; ++i) s.energy[band_of(i)] += source_sample(k, i) >> 6;
        const SegmentPlan p = model.next(s);
        for (int i = 0; i < kSegmentSamples; ++i) {
            const unsigned long long q = quantise(source_sample(k, i), p.step[band_of(i)]);
            digest[static_cast<size_t>(k)] += q * static_cast<unsigned>(1 + i % 251);
        }
    }
    return digest;
}

}  // namespace

int main() {
    check(cudaSetDevice(0));
    check(cudaFree(nullptr));

    SegmentStats* device_stats = device_array<SegmentStats>(kSegments);
    unsigned long long* device_digest = device_array<unsigned long long>(kSegments);
    SegmentStats* stats = locked_array<SegmentStats>(kSegments);
    SegmentPlan* plans = locked_array<SegmentPlan>(kSegments);
    unsigned long long* digest = locked_array<unsigned long long>(kSegments);
    const Dial planned(locked_array<uint32_t>(16));
    const Dial packed(locked_array<uint32_t>(16));

    Slot slots[kDepth];
    for (Slot& s : slots) {
        s.samples = device_array<uint32_t>(kSegmentSamples);
        s.coded = device_array<uint32_t>(kSegmentSamples);
        check(cudaEventCreateWithFlags(&s.decoded, cudaEventDisableTiming));
        check(cudaEventCreateWithFlags(&s.filtered, cudaEventDisableTiming));
    }
    check(cudaDeviceSynchronize());

    std::optional<Lanes> lanes;
    lanes.emplace();
    first_touch(*lanes);

    {
        Clerk clerk(stats, plans, planned.word(), kSegments);
        std::vector<Notice> notices(kSegments);
        for (int k = 0; k < kSegments; ++k) notices[static_cast<size_t>(k)] = Notice{&clerk, k};

        for (int k = 0; k < kSegments; ++k) {
            Slot& slot = slots[k % kDepth];

            if (k >= kDepth) packed.await(lanes->decode, static_cast<uint32_t>(k - kDepth + 1));
            decode(slot.samples, device_stats + k, k, kSegmentSamples, lanes->decode);
            check(cudaGetLastError());
            check(cudaMemcpyAsync(stats + k, device_stats + k, sizeof(SegmentStats), cudaMemcpyDeviceToHost,
                                  lanes->decode));
            check(cudaLaunchHostFunc(lanes->decode, deliver, &notices[static_cast<size_t>(k)]));
            check(cudaEventRecord(slot.decoded, lanes->decode));

            check(cudaStreamWaitEvent(lanes->filter, slot.decoded, 0));
            planned.await(lanes->filter, static_cast<uint32_t>(k + 1));
            filter(slot.samples, plans + k, slot.coded, kSegmentSamples, lanes->filter);
            check(cudaGetLastError());
            check(cudaEventRecord(slot.filtered, lanes->filter));

            check(cudaStreamWaitEvent(lanes->pack, slot.filtered, 0));
            pack(slot.coded, device_digest, k, kSegmentSamples, lanes->pack);
            check(cudaGetLastError());
            packed.set(lanes->pack, static_cast<uint32_t>(k + 1));
        }

        check(cudaMemcpyAsync(digest, device_digest, kSegments * sizeof *digest, cudaMemcpyDeviceToHost, lanes->pack));
        check(cudaStreamSynchronize(lanes->pack));
    }

    const std::vector<unsigned long long> want = expected();
    long wrong = 0;
    for (int k = 0; k < kSegments; ++k) wrong += digest[k] != want[static_cast<size_t>(k)];

    lanes.reset();
    for (Slot& s : slots) {
        cudaEventDestroy(s.decoded);
        cudaEventDestroy(s.filtered);
        cudaFree(s.samples);
        cudaFree(s.coded);
    }
    cudaFree(device_stats);
    cudaFree(device_digest);
    cudaFreeHost(stats);
    cudaFreeHost(plans);
    cudaFreeHost(digest);
    cudaFreeHost(planned.word());
    cudaFreeHost(packed.word());

    if (wrong) {
        std::printf("WRONG %ld\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
