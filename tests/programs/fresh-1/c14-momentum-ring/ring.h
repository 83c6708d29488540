#pragma once
#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define TRY(expr)                                                    \
    do {                                                             \
        const cudaError_t code_ = (expr);                            \
        if (code_ != cudaSuccess) {                                  \
            std::printf("ERROR %s\n", cudaGetErrorName(code_));      \
            std::exit(1);                                            \
        }                                                            \
    } while (0)

// Device-resident ring of batches, filled by a copy stream and read by a compute stream.
template <class T, int Depth>
class BatchRing {
    struct Slot {
        T* data = nullptr;
        cudaEvent_t filled{};
        cudaEvent_t drained{};
    };

public:
    class View {
    public:
        View(Slot& slot, cudaStream_t reader) : slot_(slot), reader_(reader) {
            TRY(cudaStreamWaitEvent(reader_, slot_.filled, 0));
        }
        ~View() { TRY(cudaEventRecord(slot_.drained, reader_)); }
        View(const View&) = delete;
        View& operator=(const View&) = delete;
        const T* data() const { return slot_.data; }

    private:
        Slot& slot_;
        cudaStream_t reader_;
    };

    explicit BatchRing(size_t elements) : elements_(elements) {
        TRY(cudaStreamCreateWithFlags(&copy_, cudaStreamNonBlocking));
        for (auto& s : slots_) {
            TRY(cudaMalloc(&s.data, elements_ * sizeof(T)));
            TRY(cudaEventCreateWithFlags(&s.filled, cudaEventDisableTiming));
            TRY(cudaEventCreateWithFlags(&s.drained, cudaEventDisableTiming));
        }
    }
    ~BatchRing() {
        cudaStreamSynchronize(copy_);
        for (auto& s : slots_) {
            cudaFree(s.data);
            cudaEventDestroy(s.filled);
            cudaEventDestroy(s.drained);
        }
        cudaStreamDestroy(copy_);
    }

    void push(int index, const T* pinned) {
        Slot& s = slots_[index % Depth];
        TRY(cudaStreamWaitEvent(copy_, s.drained, 0));
        TRY(cudaMemcpyAsync(s.data, pinned, elements_ * sizeof(T), cudaMemcpyHostToDevice, copy_));
        TRY(cudaEventRecord(s.filled, copy_));
    }

    View view(int index, cudaStream_t reader) { return View(slots_[index % Depth], reader); }

private:
    size_t elements_;
    cudaStream_t copy_{};
    std::array<Slot, Depth> slots_{};
};
