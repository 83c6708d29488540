// Micro benchmark harness: named cases in a table, median of repeated event timings.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define REQUIRE(x)                                                                  \
    do {                                                                            \
        const cudaError_t rc = (x);                                                 \
        if (rc != cudaSuccess) {                                                    \
            std::fprintf(stderr, "[%s] %s\n", cudaGetErrorName(rc), #x);            \
            std::exit(1);                                                           \
        }                                                                           \
    } while (0)

struct DevFree { void operator()(void* p) const { cudaFree(p); } };
template <class T> using DevPtr = std::unique_ptr<T[], DevFree>;
template <class T> DevPtr<T> make_dev(size_t n) {
    T* p = nullptr;
    REQUIRE(cudaMalloc(&p, n * sizeof(T)));
    return DevPtr<T>(p);
}

__global__ void k_copy(const float* a, float* b, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        b[i] = a[i];
}
__global__ void k_scale(const float* a, float* b, float s, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        b[i] = s * a[i];
}
__global__ void k_triad(const float* a, const float* b, float* c, float s, size_t n) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
        c[i] = a[i] + s * b[i];
}

struct Case {
    double bytes;
    std::function<void(cudaStream_t)> run;
};

class Harness {
public:
    explicit Harness(int reps) : reps_(reps) {
        REQUIRE(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        REQUIRE(cudaEventCreate(&start_));
        REQUIRE(cudaEventCreate(&stop_));
    }
    ~Harness() {
        cudaEventDestroy(start_);
        cudaEventDestroy(stop_);
        cudaStreamDestroy(stream_);
    }
    void add(std::string name, Case c) { cases_.emplace(std::move(name), std::move(c)); }

    void runAll(const std::string& filter) {
        for (auto& [name, c] : cases_) {
            if (!filter.empty() && name.find(filter) == std::string::npos) continue;
            const float ms = median(c);
            std::printf("%-12s %8.4f ms  %8.1f GB/s\n", name.c_str(), ms, c.bytes / ms * 1e-6);
        }
    }

private:
    float median(const Case& c) {
        for (int i = 0; i < 3; ++i) c.run(stream_);
        REQUIRE(cudaStreamSynchronize(stream_));
        std::vector<float> t;
        for (int i = 0; i < reps_; ++i) {
            REQUIRE(cudaEventRecord(start_, stream_));
            c.run(stream_);
            REQUIRE(cudaEventRecord(stop_, stream_));
            REQUIRE(cudaEventSynchronize(stop_));
            float ms = 0;
            REQUIRE(cudaStreamSynchronize(stream_));
            REQUIRE(cudaEventElapsedTime(&ms, start_, stop_));
            t.push_back(ms);
        }
        std::nth_element(t.begin(), t.begin() + t.size() / 2, t.end());
        return t[t.size() / 2];
    }

    int reps_;
    cudaStream_t stream_{};
    cudaEvent_t start_{}, stop_{};
    std::map<std::string, Case> cases_;
};

int main(int argc, char** argv) {
    const size_t n = size_t(1) << 26;
    const std::string filter = argc > 1 ? argv[1] : "";
    auto a = make_dev<float>(n), b = make_dev<float>(n), c = make_dev<float>(n);
    REQUIRE(cudaMemset(a.get(), 0, n * sizeof(float)));
    REQUIRE(cudaMemset(b.get(), 0, n * sizeof(float)));
    REQUIRE(cudaDeviceSynchronize());

    int dev = 0, sms = 0;
    REQUIRE(cudaGetDevice(&dev));
    REQUIRE(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev));
    const int grid = sms * 8, block = 256;
    const double word = sizeof(float) * double(n);

    Harness h(25);
    h.add("copy", {2 * word, [&](cudaStream_t s) { k_copy<<<grid, block, 0, s>>>(a.get(), c.get(), n); }});
    h.add("scale", {2 * word, [&](cudaStream_t s) { k_scale<<<grid, block, 0, s>>>(a.get(), c.get(), 3.f, n); }});
    h.add("triad", {3 * word, [&](cudaStream_t s) {
                        k_triad<<<grid, block, 0, s>>>(a.get(), b.get(), c.get(), 3.f, n);
                    }});
    h.add("memcpy", {2 * word, [&](cudaStream_t s) {
                         REQUIRE(cudaMemcpyAsync(c.get(), a.get(), n * sizeof(float), cudaMemcpyDeviceToDevice, s));
                     }});
    h.runAll(filter);
    REQUIRE(cudaGetLastError());
    return 0;
}
