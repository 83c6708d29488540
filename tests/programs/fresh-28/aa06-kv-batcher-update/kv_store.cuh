#pragma once
#include <cuda_runtime.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace serve {

inline void check(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

struct DeviceFree {
    void operator()(void* p) const { cudaFree(p); }
};
struct PinnedFree {
    void operator()(void* p) const { cudaFreeHost(p); }
};
template <class T> using DevicePtr = std::unique_ptr<T[], DeviceFree>;
template <class T> using PinnedPtr = std::unique_ptr<T[], PinnedFree>;

template <class T> DevicePtr<T> device_array(size_t n) {
    void* p = nullptr;
    check(cudaMalloc(&p, n * sizeof(T)));
    check(cudaMemset(p, 0, n * sizeof(T)));
    return DevicePtr<T>(static_cast<T*>(p));
}
template <class T> PinnedPtr<T> pinned_array(size_t n) {
    void* p = nullptr;
    check(cudaMallocHost(&p, n * sizeof(T)));
    return PinnedPtr<T>(static_cast<T*>(p));
}

// What a kernel sees of the store: row-major, one row per running sequence.
struct Rows {
    uint32_t* kv;
    int* length;
    uint32_t* token;
    int context;
};

// Key/value rows of the running batch. Rows are kept dense: when sequences
// leave, the survivors are moved to the front of the spare arrays, which then
// take the place of the front ones.
class KvStore {
public:
    KvStore(int rows, int context);

    Rows front() const { return view(front_); }
    int capacity() const { return rows_; }
    unsigned generation() const { return generation_; }

    // survivors[i] is the present row of the sequence that gets row i.
    void compact(const int* survivors, int count, cudaStream_t stream);

private:
    struct Arrays {
        DevicePtr<uint32_t> kv;
        DevicePtr<int> length;
        DevicePtr<uint32_t> token;
    };
    Rows view(int i) const {
        return Rows{arrays_[i].kv.get(), arrays_[i].length.get(), arrays_[i].token.get(), context_};
    }

    int rows_, context_;
    int front_ = 0;
    unsigned generation_ = 0;
    std::array<Arrays, 2> arrays_;
    DevicePtr<int> map_;
    PinnedPtr<int> map_host_;
};

void launch_prefill(const Rows& rows, int row, uint32_t prompt, cudaStream_t stream);
void launch_decode(const Rows& rows, int batch, cudaStream_t stream);
uint32_t mix(uint32_t kv, uint32_t position);

}  // namespace serve
