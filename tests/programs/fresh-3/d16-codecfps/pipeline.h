#pragma once
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>
#include "stages.cuh"

inline void expect_ok(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}

class Event {
public:
    explicit Event(unsigned flags = cudaEventDisableTiming) { expect_ok(cudaEventCreateWithFlags(&e_, flags)); }
    ~Event() { cudaEventDestroy(e_); }
    Event(const Event&) = delete;
    operator cudaEvent_t() const { return e_; }

private:
    cudaEvent_t e_{};
};

// Upload, transform and download run on three streams over two slots.
class Pipeline {
public:
    Pipeline(size_t bytes, int entropy_us) : bytes_(bytes), entropy_us_(entropy_us) {
        for (cudaStream_t* s : {&up_, &work_, &down_}) expect_ok(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
        for (auto& s : slots_) {
            expect_ok(cudaMalloc(&s.in, bytes));
            expect_ok(cudaMalloc(&s.out, bytes));
        }
    }
    ~Pipeline() {
        for (auto& s : slots_) {
            cudaFree(s.in);
            cudaFree(s.out);
        }
        for (cudaStream_t s : {up_, work_, down_}) cudaStreamDestroy(s);
    }
    Pipeline(const Pipeline&) = delete;

    // Encodes all pictures; mark(i) is called with the download stream behind picture i.
    void encode(const std::vector<const uint8_t*>& src, const std::vector<uint8_t*>& dst,
                const std::function<void(int, cudaStream_t)>& mark) {
        for (int i = 0; i < int(src.size()); ++i) {
            Slot& s = slots_[i & 1];
            expect_ok(cudaStreamWaitEvent(up_, s.consumed, 0));
            expect_ok(cudaMemcpyAsync(s.in, src[i], bytes_, cudaMemcpyHostToDevice, up_));
            expect_ok(cudaEventRecord(s.uploaded, up_));

            expect_ok(cudaStreamWaitEvent(work_, s.uploaded, 0));
            expect_ok(cudaStreamWaitEvent(work_, s.fetched, 0));
            launch_transform(s.in, s.out, bytes_, uint8_t(i * 7 + 1), entropy_us_, work_);
            expect_ok(cudaGetLastError());
            expect_ok(cudaEventRecord(s.consumed, work_));

            expect_ok(cudaStreamWaitEvent(down_, s.consumed, 0));
            expect_ok(cudaMemcpyAsync(dst[i], s.out, bytes_, cudaMemcpyDeviceToHost, down_));
            expect_ok(cudaEventRecord(s.fetched, down_));
            if (mark) mark(i, down_);
        }
    }
    cudaStream_t upload_stream() const { return up_; }

private:
    struct Slot {
        uint8_t *in = nullptr, *out = nullptr;
        Event uploaded, consumed, fetched;
    };
    const size_t bytes_;
    const int entropy_us_;
    cudaStream_t up_{}, work_{}, down_{};
    std::array<Slot, 2> slots_;
};
