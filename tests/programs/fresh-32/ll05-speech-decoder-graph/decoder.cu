#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "common.h"
#include "executor.h"
#include "models.h"

namespace speech {

constexpr int kDim = 1024;

__global__ void acoustic_score(const float* w, const float* frame, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = w[i] * frame[i];
}

__global__ void language_rescore(const float* w, float* scores, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) scores[i] += w[i];
}

class SyntheticSource final : public IModelSource {
public:
    std::vector<float> read(const std::string& name) override {
        std::vector<float> w(kDim);
        const float base = float(name.size());
        for (int i = 0; i < kDim; ++i) w[i] = base + float(i % 4);
        return w;
    }
};

class CapturedGraph {
public:
    template <class Body>
    CapturedGraph(cudaStream_t s, Body&& body) {
        cudaGraph_t g = nullptr;
        operator_check(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
        std::forward<Body>(body)(s);
        operator_check(cudaStreamEndCapture(s, &g));
        const cudaError_t e = cudaGraphInstantiate(&exec_, g, 0);
        cudaGraphDestroy(g);
        operator_check(e);
    }
    CapturedGraph(CapturedGraph&& o) noexcept : exec_(std::exchange(o.exec_, nullptr)) {}
    CapturedGraph(const CapturedGraph&) = delete;
    ~CapturedGraph() {
        if (exec_) cudaGraphExecDestroy(exec_);
    }
    void launch(cudaStream_t s) { operator_check(cudaGraphLaunch(exec_, s)); }

private:
    cudaGraphExec_t exec_ = nullptr;
};

struct Plan {
    std::string acoustic;
    std::vector<std::string> rescorers;
};

class Decoder {
public:
    explicit Decoder(ModelCache& models)
        : models_(models), stream_(make_stream()), frame_(device_floats(kDim)), scores_(device_floats(kDim)) {}

    void prepare(const Plan& plan) {
        const float* acoustic = models_.require(plan.acoustic);
        graphs_.emplace_back(stream_.get(), [&](cudaStream_t s) {
            acoustic_score<<<kDim / 256, 256, 0, s>>>(acoustic, frame_.get(), scores_.get(), kDim);
            for (const auto& name : plan.rescorers)
                language_rescore<<<kDim / 256, 256, 0, s>>>(models_.require(name), scores_.get(), kDim);
        });
    }

    std::vector<float> decode(std::size_t plan, const std::vector<float>& frame) {
        std::vector<float> out(kDim);
        operator_check(cudaMemcpyAsync(frame_.get(), frame.data(), kDim * sizeof(float),
                                       cudaMemcpyHostToDevice, stream_.get()));
        graphs_.at(plan).launch(stream_.get());
        operator_check(cudaMemcpyAsync(out.data(), scores_.get(), kDim * sizeof(float),
                                       cudaMemcpyDeviceToHost, stream_.get()));
        operator_check(cudaStreamSynchronize(stream_.get()));
        return out;
    }

private:
    ModelCache& models_;
    Stream stream_;
    DeviceFloats frame_;
    DeviceFloats scores_;
    std::vector<CapturedGraph> graphs_;
};

int run() {
    SyntheticSource source;
    Executor loader;
    ModelCache models(source, loader);
    Decoder decoder(models);
    const std::vector<Plan> plans = {{"en-base", {"en-lm"}}, {"en-base", {"en-lm", "medical"}}};
    for (const auto& p : plans) decoder.prepare(p);

    int bad = 0;
    for (std::size_t p = 0; p < plans.size(); ++p) {
        for (int step = 0; step < 20; ++step) {
            const auto got = decoder.decode(p, std::vector<float>(kDim, float(step)));
            for (int i = 0; i < kDim; ++i) {
                const float r = float(i % 4);
                float want = (float(plans[p].acoustic.size()) + r) * float(step);
                for (const auto& name : plans[p].rescorers) want += float(name.size()) + r;
                bad += std::fabs(got[i] - want) > 1e-3f;
            }
        }
    }
    return bad;
}

}  // namespace speech

int main() {
    try {
        const int bad = speech::run();
        if (bad)
            std::printf("WRONG %d\n", bad);
        else
            std::printf("DONE\n");
        return bad != 0;
    } catch (const speech::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
