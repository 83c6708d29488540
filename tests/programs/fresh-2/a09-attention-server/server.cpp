#include "model.cuh"

#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace serve {

struct CudaFailure : std::runtime_error {
    explicit CudaFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

static void expect(cudaError_t e) {
    if (e != cudaSuccess) throw CudaFailure(e);
}

struct Engine {
    virtual ~Engine() = default;
    virtual void step() = 0;
    virtual cudaStream_t stream() const = 0;
};

// Replays one decode step as a graph.
class GraphEngine final : public Engine {
public:
    GraphEngine(const Buffers& b, bool collect_usage) : buf_(b), collect_usage_(collect_usage) {
        expect(cudaStreamCreateWithFlags(&compute_, cudaStreamNonBlocking));
        expect(cudaStreamCreateWithFlags(&cache_, cudaStreamNonBlocking));
        expect(cudaEventCreateWithFlags(&begin_, cudaEventDisableTiming));
        expect(cudaEventCreateWithFlags(&cached_, cudaEventDisableTiming));
        build();
    }
    ~GraphEngine() override {
        if (exec_) cudaGraphExecDestroy(exec_);
        cudaEventDestroy(begin_);
        cudaEventDestroy(cached_);
        cudaStreamDestroy(cache_);
        cudaStreamDestroy(compute_);
    }
    void step() override { expect(cudaGraphLaunch(exec_, compute_)); }
    cudaStream_t stream() const override { return compute_; }

private:
    void build() {
        expect(cudaStreamBeginCapture(compute_, cudaStreamCaptureModeThreadLocal));
        branch_cache();
        project(buf_, compute_);
        expect(cudaGetLastError());
        expect(cudaStreamWaitEvent(compute_, cached_, 0));
        attend(buf_, compute_);
        expect(cudaGetLastError());

        cudaGraph_t graph = nullptr;
        expect(cudaStreamEndCapture(compute_, &graph));
        expect(cudaGraphInstantiate(&exec_, graph, 0));
        expect(cudaGraphDestroy(graph));
    }

    void branch_cache() {
        expect(cudaEventRecord(begin_, compute_));
        expect(cudaStreamWaitEvent(cache_, begin_, 0));
        append_cache(buf_, cache_);
        expect(cudaGetLastError());
        expect(cudaEventRecord(cached_, cache_));
        if (collect_usage_) {
            cache_usage(buf_, cache_);
            expect(cudaGetLastError());
        }
    }

    Buffers buf_;
    bool collect_usage_;
    cudaStream_t compute_ = nullptr;
    cudaStream_t cache_ = nullptr;
    cudaEvent_t begin_ = nullptr;
    cudaEvent_t cached_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

struct EngineOptions {
    std::string kind = "graph";
    bool collect_usage = true;
};

using Factory = std::function<std::unique_ptr<Engine>(const Buffers&, const EngineOptions&)>;

static Factory lookup(const std::string& kind) {
    if (kind == "graph")
        return [](const Buffers& b, const EngineOptions& o) -> std::unique_ptr<Engine> {
            return std::make_unique<GraphEngine>(b, o.collect_usage);
        };
    throw std::invalid_argument(kind);
}

static Buffers allocate() {
    Buffers b;
    for (float** p : {&b.x, &b.q, &b.cache, &b.usage, &b.y})
        expect(cudaMalloc(reinterpret_cast<void**>(p), kDim * sizeof(float)));
    return b;
}

static long serve_requests(Engine& engine, const Buffers& b, int requests) {
    long wrong = 0;
    std::vector<float> x(kDim), y(kDim), u(kDim);
    for (int r = 0; r < requests; ++r) {
        for (int i = 0; i < kDim; ++i) x[i] = static_cast<float>((i * 13 + r * 5) % 64) - 20.f;
        cudaStream_t s = engine.stream();
        const size_t bytes = kDim * sizeof(float);
        expect(cudaMemcpyAsync(b.x, x.data(), bytes, cudaMemcpyHostToDevice, s));
        engine.step();
        expect(cudaMemcpyAsync(y.data(), b.y, bytes, cudaMemcpyDeviceToHost, s));
        expect(cudaMemcpyAsync(u.data(), b.usage, bytes, cudaMemcpyDeviceToHost, s));
        expect(cudaStreamSynchronize(s));
        for (int i = 0; i < kDim; ++i) {
            const float k = x[(i + 1) % kDim];
            if (std::fabs(y[i] - (2.f * x[i] + 1.f - k)) > 1e-4f) ++wrong;
            if (u[i] != (k > 0.f ? 1.f : 0.f)) ++wrong;
        }
    }
    return wrong;
}

}  // namespace serve

int main() {
    using namespace serve;
    try {
        EngineOptions opt;
        const Buffers b = allocate();
        auto engine = lookup(opt.kind)(b, opt);
        const long wrong = serve_requests(*engine, b, 16);
        engine.reset();
        for (float* p : {b.x, b.q, b.cache, b.usage, b.y}) expect(cudaFree(p));
        if (wrong) {
            std::printf("WRONG %ld\n", wrong);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    } catch (const CudaFailure& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
