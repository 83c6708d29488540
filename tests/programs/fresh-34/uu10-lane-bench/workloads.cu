#include <numeric>

#include "bench/workload.h"

namespace {

__device__ long long nanos() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return static_cast<long long>(t);
}

__device__ void occupy(long long ns) {
    const long long begin = nanos();
    while (nanos() - begin < ns) {
    }
}

__global__ void shard_reduce(const int* in, unsigned long long* out, int n, long long ns) {
    occupy(ns);
    unsigned long long sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    atomicAdd(out, sum);
}

__global__ void shard_shift(int* data, int n, int by, long long ns) {
    occupy(ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] += by;
}

template <class T>
struct DeviceFree {
    void operator()(T* p) const { cudaFree(p); }
};

template <class T>
using DeviceVec = std::unique_ptr<T, DeviceFree<T>>;

template <class T>
DeviceVec<T> device_vec(const std::vector<T>& host) {
    T* p = nullptr;
    BENCH_TRY(cudaMalloc(reinterpret_cast<void**>(&p), host.size() * sizeof(T)));
    BENCH_TRY(cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return DeviceVec<T>(p);
}

// Shards grow with the lane, as the partitions of a skewed key range do.
class SkewedReduce final : public bench::Workload {
public:
    std::string name() const override { return "skewed-reduce"; }

    void setup(int lanes) override {
        for (int l = 0; l < lanes; ++l) {
            std::vector<int> host(1 << (14 + l));
            std::iota(host.begin(), host.end(), l);
            expected_.push_back(std::accumulate(host.begin(), host.end(), 0ull));
            sizes_.push_back(static_cast<int>(host.size()));
            shards_.push_back(device_vec(host));
            sums_.push_back(device_vec(std::vector<unsigned long long>(1, 0ull)));
        }
        BENCH_TRY(cudaDeviceSynchronize());
    }

    void launch(bench::LaneGroup& g) override {
        for (int l = 0; l < g.size(); ++l) {
            shard_reduce<<<8, 128, 0, g.lane(l)>>>(shards_[l].get(), sums_[l].get(), sizes_[l], 5'000'000ll << l);
            BENCH_TRY(cudaGetLastError());
        }
    }

    bool verify(int passes) override {
        for (std::size_t l = 0; l < sums_.size(); ++l) {
            unsigned long long got = 0;
            BENCH_TRY(cudaMemcpy(&got, sums_[l].get(), sizeof got, cudaMemcpyDeviceToHost));
            if (got != expected_[l] * static_cast<unsigned long long>(passes)) return false;
        }
        return true;
    }

private:
    std::vector<DeviceVec<int>> shards_;
    std::vector<DeviceVec<unsigned long long>> sums_;
    std::vector<unsigned long long> expected_;
    std::vector<int> sizes_;
};

// Two passes over every shard, the last lane carries the remainder.
class RemainderShift final : public bench::Workload {
public:
    std::string name() const override { return "remainder-shift"; }

    void setup(int lanes) override {
        for (int l = 0; l < lanes; ++l) data_.push_back(device_vec(std::vector<int>(kCount, l)));
        BENCH_TRY(cudaDeviceSynchronize());
    }

    void launch(bench::LaneGroup& g) override {
        for (int pass = 0; pass < 2; ++pass) {
            for (int l = 0; l < g.size(); ++l) {
                const long long ns = l + 1 == g.size() ? 18'000'000ll : 6'000'000ll;
                shard_shift<<<8, 128, 0, g.lane(l)>>>(data_[l].get(), kCount, pass + 1, ns);
                BENCH_TRY(cudaGetLastError());
            }
        }
    }

    bool verify(int passes) override {
        std::vector<int> host(kCount);
        for (std::size_t l = 0; l < data_.size(); ++l) {
            BENCH_TRY(cudaMemcpy(host.data(), data_[l].get(), kCount * sizeof(int), cudaMemcpyDeviceToHost));
            for (int v : host) {
                if (v != static_cast<int>(l) + 3 * passes) return false;
            }
        }
        return true;
    }

private:
    static constexpr int kCount = 1 << 15;
    std::vector<DeviceVec<int>> data_;
};

BENCH_REGISTER(SkewedReduce);
BENCH_REGISTER(RemainderShift);

}  // namespace
