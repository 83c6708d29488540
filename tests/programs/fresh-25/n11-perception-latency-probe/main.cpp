#include "latency_probe.h"
#include <cstdio>

using namespace perception;

namespace {

class Pipeline {
public:
    explicit Pipeline(const std::vector<std::string>& kinds) {
        for (const auto& kind : kinds) stages_.push_back(makeStage(kind));
        orThrow(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        orThrow(cudaMalloc(reinterpret_cast<void**>(&points_), kPoints * sizeof(int)));
        orThrow(cudaMallocHost(reinterpret_cast<void**>(&cloud_), kPoints * sizeof(int)));
    }
    ~Pipeline() {
        cudaStreamSynchronize(stream_);
        cudaFreeHost(cloud_);
        cudaFree(points_);
        cudaStreamDestroy(stream_);
    }

    void submit(int frame) {
        for (int i = 0; i < kPoints; ++i) cloud_[i] = frame * 100 + i;
        orThrow(cudaMemcpyAsync(points_, cloud_, kPoints * sizeof(int), cudaMemcpyHostToDevice,
                                stream_));
        for (auto& stage : stages_) stage->run(points_, stream_);
    }

    long check(int frame) {
        std::vector<int> got(kPoints);
        orThrow(cudaMemcpy(got.data(), points_, kPoints * sizeof(int), cudaMemcpyDeviceToHost));
        long wrong = 0;
        for (int i = 0; i < kPoints; ++i) {
            if (got[i] != referencePoint(frame * 100 + i)) ++wrong;
        }
        return wrong;
    }

    cudaStream_t stream() const { return stream_; }

private:
    std::vector<std::unique_ptr<Stage>> stages_;
    cudaStream_t stream_ = nullptr;
    int* points_ = nullptr;
    int* cloud_ = nullptr;
};

double referenceMs(Pipeline& pipeline, int frames) {
    auto start = LatencyProbe::Clock::now();
    for (int f = 0; f < frames; ++f) {
        pipeline.submit(f);
        orThrow(cudaStreamSynchronize(pipeline.stream()));
    }
    std::chrono::duration<double, std::milli> d = LatencyProbe::Clock::now() - start;
    return d.count() / frames;
}

}  // namespace

int main() {
    try {
        constexpr int kWarmup = 3, kFrames = 15;
        LatencyProbe probe(kFrames);
        Pipeline pipeline({"voxelize", "segment"});
        long wrong = 0;
        for (int f = 0; f < kFrames; ++f) {
            probe.begin(f);
            pipeline.submit(f);
            probe.end(f, pipeline.stream());
            probe.await(f);
            wrong += pipeline.check(f);
        }
        double latency = probe.meanMs(kWarmup);
        double reference = referenceMs(pipeline, 8);
        double ratio = latency > reference ? latency / reference : reference / latency;
        std::fprintf(stderr, "latency %.2f ms, reference %.2f ms\n", latency, reference);
        if (wrong) std::printf("WRONG %ld\n", wrong);
        else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
        else std::printf("DONE\n");
        return 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
