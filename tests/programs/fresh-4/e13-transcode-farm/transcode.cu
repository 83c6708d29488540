#include "lane.h"
#include <chrono>
#include <future>
#include <memory>
#include <vector>

namespace farm {
namespace {

constexpr int kCurve = 256;
constexpr int kSamples = 1 << 18;
constexpr int kLanes = 4;
constexpr int kFramesPerLane = 5;
constexpr unsigned kMotionMs = 18;

__constant__ int g_curve[kCurve];

__global__ void estimate_motion(const unsigned char* frame, int* motion, int n, unsigned long long ns)
{
    unsigned long long start, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - start < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        motion[i] = frame[i] + frame[(i + 1) % n];
}

__global__ void quantise(const unsigned char* frame, const int* motion, unsigned char* out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = static_cast<unsigned char>(g_curve[frame[i]] + motion[i] / 2);
}

int curve_at(int v) { return (v * v) / 255; }

struct PinnedFree {
    void operator()(unsigned char* p) const { cudaFreeHost(p); }
};
using Plane = std::unique_ptr<unsigned char[], PinnedFree>;

Plane make_plane()
{
    void* p = nullptr;
    TF_CALL(cudaMallocHost(&p, kSamples));
    return Plane(static_cast<unsigned char*>(p));
}

struct Frame {
    Plane source = make_plane();
    Plane coded = make_plane();
    explicit Frame(int seed)
    {
        for (int i = 0; i < kSamples; ++i) source[i] = static_cast<unsigned char>(i * 5 + seed * 3);
    }
    long mismatches() const
    {
        long bad = 0;
        for (int i = 0; i < kSamples; ++i) {
            const int motion = source[i] + source[(i + 1) % kSamples];
            bad += coded[i] != static_cast<unsigned char>(curve_at(source[i]) + motion / 2);
        }
        return bad;
    }
};

void transcode(const Lane& lane, Frame& frame)
{
    Lane::Scratch<unsigned char> input(lane, kSamples);
    Lane::Scratch<int> motion(lane, kSamples);
    Lane::Scratch<unsigned char> output(lane, kSamples);
    TF_CALL(cudaMemcpyAsync(input, frame.source.get(), kSamples, cudaMemcpyHostToDevice, lane.stream()));
    estimate_motion<<<12, 256, 0, lane.stream()>>>(input, motion, kSamples, kMotionMs * 1'000'000ull);
    quantise<<<12, 256, 0, lane.stream()>>>(input, motion, output, kSamples);
    TF_CALL(cudaGetLastError());
    TF_CALL(cudaMemcpyAsync(frame.coded.get(), output, kSamples, cudaMemcpyDeviceToHost, lane.stream()));
}

void run_lane(const Lane& lane, std::vector<Frame>& clip)
{
    TF_CALL(cudaSetDevice(0));
    for (Frame& frame : clip) transcode(lane, frame);
    TF_CALL(cudaStreamSynchronize(lane.stream()));
}

}  // namespace
}  // namespace farm

int main()
{
    using namespace farm;
    std::vector<int> curve(kCurve);
    for (int v = 0; v < kCurve; ++v) curve[v] = curve_at(v);
    TF_CALL(cudaMemcpyToSymbol(g_curve, curve.data(), kCurve * sizeof(int)));

    std::vector<std::unique_ptr<Lane>> lanes;
    std::vector<std::vector<Frame>> clips(kLanes);
    for (int l = 0; l < kLanes; ++l) {
        lanes.push_back(std::make_unique<Lane>(0));
        for (int f = 0; f < kFramesPerLane; ++f) clips[l].emplace_back(l * 10 + f);
        transcode(*lanes[l], clips[l].front());
    }
    TF_CALL(cudaDeviceSynchronize());

    const auto t0 = std::chrono::steady_clock::now();
    std::vector<std::future<void>> work;
    for (int l = 0; l < kLanes; ++l)
        work.push_back(std::async(std::launch::async, run_lane, std::cref(*lanes[l]), std::ref(clips[l])));
    for (auto& w : work) w.get();
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - t0;

    long wrong = 0;
    for (const auto& clip : clips)
        for (const auto& frame : clip) wrong += frame.mismatches();
    const double ratio = elapsed.count() / (kFramesPerLane * kMotionMs);
    std::printf("%d lanes, %.1f ms\n", kLanes, elapsed.count());
    lanes.clear();
    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else if (ratio > 1.5)
        std::printf("SLOW %.2f\n", ratio);
    else
        std::printf("DONE\n");
    return 0;
}
