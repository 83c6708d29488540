#include "bands.cuh"
#include "recording.h"
#include <atomic>
#include <future>
#include <vector>

namespace {

constexpr int kSamples = 1 << 15;
constexpr int kBands = 4;
constexpr int kBlocks = 12;

struct DeviceDelete {
    void operator()(void* p) const { cudaFree(p); }
};
template <class T>
using DeviceArray = std::unique_ptr<T[], DeviceDelete>;

template <class T>
DeviceArray<T> upload(const std::vector<T>& host) {
    codec::Stream s = codec::newStream();
    T* p = nullptr;
    codec::run(cudaMalloc(reinterpret_cast<void**>(&p), host.size() * sizeof(T)));
    codec::run(cudaMemcpyAsync(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice, s.get()));
    codec::run(cudaStreamSynchronize(s.get()));
    return DeviceArray<T>(p);
}

void CUDART_CB countBlock(void* arg) { static_cast<std::atomic<int>*>(arg)->fetch_add(1); }

}  // namespace

int main() {
    codec::run(cudaSetDevice(0));
    codec::run(cudaFree(nullptr));

    std::vector<float> pcm(kSamples);
    for (int i = 0; i < kSamples; ++i) pcm[i] = static_cast<float>(i % 100);
    const auto pcmDev = upload(pcm);
    const auto outDev = upload(std::vector<int>(kSamples, 0));
    const auto tableDev = upload(std::vector<float>(32, 2.0f));

    std::atomic<int> encoded{0};
    auto spare = std::async(std::launch::async, [] {
        codec::run(cudaSetDevice(0));
        return upload(std::vector<float>(32, 3.0f));
    });

    codec::Recording<kBands> rec;
    const codec::Exec exec = rec.capture([&](auto& r) {
        float* scratch = nullptr;
        codec::run(cudaMallocAsync(reinterpret_cast<void**>(&scratch), kBands * kSamples * sizeof(float), r.trunk()));
        r.parallel([&](size_t b, CUstream s) {
            codec::splitBand(s, pcmDev.get(), scratch + b * kSamples, kSamples, static_cast<int>(b));
        });
        codec::quantise(r.trunk(), scratch, tableDev.get(), outDev.get(), kSamples, kBands);
        codec::run(cudaFreeAsync(scratch, r.trunk()));
        codec::run(cudaLaunchHostFunc(r.trunk(), countBlock, &encoded));
    });
    const auto spareDev = spare.get();

    for (int i = 0; i < kBlocks; ++i) codec::run(cuGraphLaunch(exec.get(), rec.trunk()));
    std::vector<int> out(kSamples);
    codec::run(cudaMemcpyAsync(out.data(), outDev.get(), kSamples * sizeof(int), cudaMemcpyDeviceToHost, rec.trunk()));
    codec::run(cudaStreamSynchronize(rec.trunk()));

    int bad = encoded.load() == kBlocks ? 0 : 1;
    for (int i = 0; i < kSamples; ++i) {
        const int want = kBlocks * static_cast<int>(pcm[i] * 10.0f * 2.0f);
        if (out[i] != want) ++bad;
    }
    if (bad)
        std::printf("WRONG %d\n", bad);
    else
        std::printf("DONE\n");
    return 0;
}
