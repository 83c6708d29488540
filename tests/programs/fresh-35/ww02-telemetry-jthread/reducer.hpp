#pragma once
#include "channel.hpp"
#include <cuda_runtime.h>
#include <memory>
#include <source_location>
#include <span>
#include <vector>

namespace tele {

inline constexpr int batches = 24;
inline constexpr int batch_size = 4096;
inline constexpr int page_batches = 8;
inline constexpr std::size_t channel_capacity = 4;

struct totals {
    unsigned long long sum{};
    unsigned peak{};
    unsigned count{};
    bool operator==(const totals&) const = default;
};

struct reduced {
    int batch;
    unsigned peak;
    totals so_far;
};

void ensure(cudaError_t e, std::source_location at = std::source_location::current());

struct device_free { void operator()(void* p) const noexcept { cudaFree(p); } };
struct host_free { void operator()(void* p) const noexcept { cudaFreeHost(p); } };

template <class T> using device_array = std::unique_ptr<T[], device_free>;
template <class T> using pinned_array = std::unique_ptr<T[], host_free>;

template <class T>
device_array<T> make_device(std::size_t n)
{
    void* p{};
    ensure(cudaMalloc(&p, n * sizeof(T)));
    return device_array<T>{static_cast<T*>(p)};
}

template <class T>
pinned_array<T> make_pinned(std::size_t n)
{
    void* p{};
    ensure(cudaMallocHost(&p, n * sizeof(T)));
    return pinned_array<T>{static_cast<T*>(p)};
}

class reducer {
public:
    reducer(std::span<const unsigned> samples, channel<reduced>& out);
    ~reducer();
    reducer(const reducer&) = delete;

    void submit(int batch);
    void drain();

private:
    struct delivery { reducer* self; int batch; };
    static void CUDART_CB deliver(void* p);

    channel<reduced>& out_;
    cudaStream_t stream_{};
    device_array<unsigned> samples_, peaks_;
    device_array<totals> totals_;
    pinned_array<unsigned> host_peaks_;
    pinned_array<totals> host_totals_;
    std::vector<delivery> deliveries_;
};

}  // namespace tele
