#include <algorithm>
#include <vector>

#include "plugin.h"

using namespace grade;

namespace {
constexpr int kPixels = 1 << 16;

unsigned char shotPixel(int shot, int frame, int i) {
    const int lo = 20 + 11 * frame + 3 * shot;
    const int span = 60 + 9 * frame;
    return (unsigned char)(lo + (i * 37 + i / 251) % span);
}

// Grading station: the look of a shot is a chain of operators, recorded once per
// shot into a graph that is then replayed for every frame.
class Station {
public:
    Station() {
        GR_CUDA(cudaStreamCreateWithFlags(&tables_, cudaStreamNonBlocking));
        GR_CUDA(cudaStreamCreateWithFlags(&render_, cudaStreamNonBlocking));
        GR_CUDA(cudaMalloc(&view_.pixels, kPixels));
        GR_CUDA(cudaMallocHost(&host_, kPixels));
        view_.count = kPixels;
        GR_CUDA(cudaMemsetAsync(view_.pixels, 0, kPixels, tables_));
    }
    ~Station() {
        chain_.clear();
        if (exec_) cudaGraphExecDestroy(exec_);
        cudaFreeHost(host_);
        cudaFree(view_.pixels);
        cudaStreamDestroy(render_);
        cudaStreamDestroy(tables_);
    }

    GradePlugin& append(const char* name) {
        chain_.push_back(PluginRegistry::instance().make(name));
        chain_.back()->attach(Host{tables_, kPixels});
        return *chain_.back();
    }

    void record() {
        GR_CUDA(cudaStreamSynchronize(tables_));
        cudaGraph_t graph;
        GR_CUDA(cudaStreamBeginCapture(render_, cudaStreamCaptureModeGlobal));
        GR_CUDA(cudaMemcpyAsync(view_.pixels, host_, kPixels, cudaMemcpyHostToDevice, render_));
        for (auto& p : chain_) p->enqueue(view_, render_);
        GR_CUDA(cudaMemcpyAsync(host_, view_.pixels, kPixels, cudaMemcpyDeviceToHost, render_));
        GR_CUDA(cudaStreamEndCapture(render_, &graph));
        if (exec_) {
            cudaGraphExecUpdateResultInfo info;
            GR_CUDA(cudaGraphExecUpdate(exec_, graph, &info));
        } else {
            GR_CUDA(cudaGraphInstantiate(&exec_, graph, 0));
        }
        GR_CUDA(cudaGraphDestroy(graph));
        GR_CUDA(cudaStreamSynchronize(tables_));
    }

    unsigned char* frame() { return host_; }
    void render() {
        GR_CUDA(cudaGraphLaunch(exec_, render_));
        GR_CUDA(cudaStreamSynchronize(render_));
    }
private:
    cudaStream_t tables_ = nullptr;
    cudaStream_t render_ = nullptr;
    FrameView view_{nullptr, 0};
    unsigned char* host_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    std::vector<std::unique_ptr<GradePlugin>> chain_;
};

bool gradedRight(const unsigned char* got, int shot, int frame, int amount) {
    int lo = 255, hi = 0;
    for (int i = 0; i < kPixels; ++i) {
        lo = std::min<int>(lo, shotPixel(shot, frame, i));
        hi = std::max<int>(hi, shotPixel(shot, frame, i));
    }
    const int span = std::max(hi - lo, 1);
    for (int i = 0; i < kPixels; ++i) {
        int v = (shotPixel(shot, frame, i) - lo) * 255 / span;
        v = std::min(std::max(v, 0), 255);
        v = std::min(std::max(v + amount, 0), 255);
        if (got[i] != v) return false;
    }
    return true;
}
}  // namespace

int main() {
    long wrong = 0;
    {
        Station station;
        station.append("levels");
        GradePlugin& lift = station.append("lift");
        for (int shot = 0; shot < 3; ++shot) {
            const int amount = 5 - 9 * shot;
            lift.setAmount(amount);
            station.record();
            for (int f = 0; f < 6; ++f) {
                for (int i = 0; i < kPixels; ++i) station.frame()[i] = shotPixel(shot, f, i);
                station.render();
                if (!gradedRight(station.frame(), shot, f, amount)) ++wrong;
            }
        }
    }
    if (wrong) std::printf("WRONG %ld\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
