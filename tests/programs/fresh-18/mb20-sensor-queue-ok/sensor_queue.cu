// Sensor ingest: producer threads fill pinned packets, one consumer feeds the GPU histogram.
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#define CU(call)                                                             \
    if (cudaError_t e_ = (call); e_ != cudaSuccess) {                        \
        std::fprintf(stderr, "%s failed: %s\n", #call, cudaGetErrorString(e_)); \
        std::abort();                                                        \
    }

constexpr int kSamples = 1 << 20;
constexpr int kBins = 256;

template <typename T>
class Channel {
public:
    void push(T v) {
        { std::lock_guard<std::mutex> l(m_); q_.push_back(std::move(v)); }
        cv_.notify_one();
    }
    std::optional<T> pop() {
        std::unique_lock<std::mutex> l(m_);
        cv_.wait(l, [&] { return closed_ || !q_.empty(); });
        if (q_.empty()) return std::nullopt;
        T v = std::move(q_.front());
        q_.pop_front();
        return v;
    }
    void close() {
        { std::lock_guard<std::mutex> l(m_); closed_ = true; }
        cv_.notify_all();
    }

private:
    std::mutex m_;
    std::condition_variable cv_;
    std::deque<T> q_;
    bool closed_ = false;
};

struct Packet {
    uint8_t* data;
    int sensor;
};

__global__ void histogram(const uint8_t* in, int n, unsigned long long* bins) {
    __shared__ unsigned int local[kBins];
    for (int i = threadIdx.x; i < kBins; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[in[i]], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < kBins; i += blockDim.x) atomicAdd(&bins[i], (unsigned long long)local[i]);
}

static void produce(int sensor, int packets, Channel<uint8_t*>& pool, Channel<Packet>& ready) {
    uint32_t state = 0x9e3779b9u * (sensor + 1);
    for (int p = 0; p < packets; ++p) {
        uint8_t* buf = *pool.pop();
        for (int i = 0; i < kSamples; ++i) {
            state = state * 1664525u + 1013904223u;
            buf[i] = uint8_t((state >> 24) / (sensor + 1));
        }
        ready.push(Packet{buf, sensor});
    }
}

static void consume(Channel<uint8_t*>& pool, Channel<Packet>& ready, unsigned long long* d_bins) {
    CU(cudaSetDevice(0));
    cudaStream_t stream;
    cudaEvent_t copied;
    uint8_t* d_in = nullptr;
    CU(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CU(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
    CU(cudaMalloc(&d_in, kSamples));
    while (auto pkt = ready.pop()) {
        CU(cudaMemcpyAsync(d_in, pkt->data, kSamples, cudaMemcpyHostToDevice, stream));
        CU(cudaEventRecord(copied, stream));
        histogram<<<64, 256, 0, stream>>>(d_in, kSamples, d_bins + size_t(pkt->sensor) * kBins);
        CU(cudaGetLastError());
        CU(cudaEventSynchronize(copied));
        pool.push(pkt->data);
    }
    CU(cudaStreamSynchronize(stream));
    CU(cudaFree(d_in));
    CU(cudaEventDestroy(copied));
    CU(cudaStreamDestroy(stream));
}

int main(int argc, char** argv) {
    const int sensors = argc > 1 ? std::atoi(argv[1]) : 4;
    const int packets = argc > 2 ? std::atoi(argv[2]) : 32;
    Channel<uint8_t*> pool;
    Channel<Packet> ready;
    std::vector<uint8_t*> buffers(6);
    for (auto& b : buffers) {
        CU(cudaMallocHost(&b, kSamples));
        pool.push(b);
    }
    const size_t binBytes = sizeof(unsigned long long) * kBins * sensors;
    unsigned long long* d_bins = nullptr;
    CU(cudaMalloc(&d_bins, binBytes));
    CU(cudaMemset(d_bins, 0, binBytes));
    CU(cudaDeviceSynchronize());

    std::thread consumer(consume, std::ref(pool), std::ref(ready), d_bins);
    std::vector<std::thread> producers;
    for (int s = 0; s < sensors; ++s)
        producers.emplace_back(produce, s, packets, std::ref(pool), std::ref(ready));
    for (auto& t : producers) t.join();
    ready.close();
    consumer.join();

    std::vector<unsigned long long> bins(size_t(kBins) * sensors);
    CU(cudaMemcpy(bins.data(), d_bins, binBytes, cudaMemcpyDeviceToHost));
    for (int s = 0; s < sensors; ++s) {
        double mean = 0, total = 0;
        for (int b = 0; b < kBins; ++b) { mean += double(b) * bins[s * kBins + b]; total += bins[s * kBins + b]; }
        std::printf("sensor %d: %.0f samples, mean %.3f\n", s, total, mean / total);
    }
    CU(cudaFree(d_bins));
    for (auto b : buffers) CU(cudaFreeHost(b));
    return 0;
}
