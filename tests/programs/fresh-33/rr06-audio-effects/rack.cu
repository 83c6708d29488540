#include "registry.h"

#include <vector>

namespace {

constexpr int kSamples = 1 << 14;
constexpr int kRequests = 4;

// A chain of effect, recorded once and replayed for every request.
class Rack {
public:
    Rack(std::initializer_list<std::string_view> names) : arena_(kArenaBytes) {
        int seed = 1;
        for (auto name : names)
            if (auto effect = EffectRegistry::instance().make(name, seed++)) effects_.push_back(std::move(effect));
        GPU(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        GPU(cudaMalloc(&signal_, kSamples * sizeof(float)));
        GPU(cudaMalloc(&params_, kSamples * sizeof(float)));
        request_ = arena_.take<float>(kSamples);
        reply_ = arena_.take<float>(kSamples);
        compile();
    }

    ~Rack() {
        cudaGraphExecDestroy(exec_);
        cudaStreamDestroy(stream_);
        cudaFree(signal_);
        cudaFree(params_);
    }

    int serve(int id) {
        for (int i = 0; i < kSamples; ++i) request_[i] = static_cast<float>((i * 3 + id) % 64);
        GPU(cudaGraphLaunch(exec_, stream_));
        GPU(cudaStreamSynchronize(stream_));
        int wrong = 0;
        for (int i = 0; i < kSamples; ++i) {
            float x = request_[i];
            for (const auto& effect : effects_) x = effect->reference(x, i);
            wrong += reply_[i] != x;
        }
        return wrong;
    }

    std::size_t depth() const { return effects_.size(); }

private:
    static constexpr std::size_t kArenaBytes = 16 * kSamples * sizeof(float);

    void compile() {
        cudaGraph_t graph;
        GPU(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        GPU(cudaMemcpyAsync(signal_, request_, kSamples * sizeof(float), cudaMemcpyHostToDevice, stream_));
        Recorder r{stream_, arena_, signal_, params_, kSamples};
        for (auto& effect : effects_) effect->record(r);
        GPU(cudaMemcpyAsync(reply_, signal_, kSamples * sizeof(float), cudaMemcpyDeviceToHost, stream_));
        GPU(cudaStreamEndCapture(stream_, &graph));
        GPU(cudaGraphInstantiate(&exec_, graph, 0));
        GPU(cudaGraphDestroy(graph));
    }

    PinnedArena arena_;
    std::vector<std::unique_ptr<Effect>> effects_;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    float* signal_ = nullptr;
    float* params_ = nullptr;
    float* request_ = nullptr;
    float* reply_ = nullptr;
};

}  // namespace

int main() {
    GPU(cudaSetDevice(0));
    Rack rack{"shift", "scale", "shift", "clamp", "scale", "shift"};
    int wrong = rack.depth() == 6 ? 0 : 1;
    for (int id = 0; id < kRequests; ++id) wrong += rack.serve(id);
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
