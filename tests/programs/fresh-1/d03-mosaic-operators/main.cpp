#include <cmath>
#include <vector>

#include "operators.cuh"

using namespace mosaic;

namespace {

class Stage {
public:
    explicit Stage(std::unique_ptr<Operator> op) : op_(std::move(op)) {
        must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~Stage() {
        if (stream_) cudaStreamDestroy(stream_);
    }
    Stage(Stage&& o) noexcept : op_(std::move(o.op_)), stream_(o.stream_) { o.stream_ = nullptr; }

    void start(Canvas& c) { op_->launch(c, stream_); }
    void finish() { must(cudaStreamSynchronize(stream_)); }

private:
    std::unique_ptr<Operator> op_;
    cudaStream_t stream_ = nullptr;
};

// Stages run side by side and hand tiles to one another through the canvas.
class DataflowGraph {
public:
    DataflowGraph& add(std::unique_ptr<Operator> op) {
        stages_.emplace_back(std::move(op));
        return *this;
    }
    void run(Canvas& c) {
        for (auto it = stages_.rbegin(); it != stages_.rend(); ++it) it->start(c);
        for (auto& s : stages_) s.finish();
    }

private:
    std::vector<Stage> stages_;
};

int app() {
    Canvas canvas;
    std::vector<float> picture(kTiles * kTilePixels);
    for (size_t i = 0; i < picture.size(); ++i) picture[i] = float(i % 977);
    must(cudaMemcpy(canvas.source, picture.data(), picture.size() * sizeof(float), cudaMemcpyHostToDevice));
    must(cudaDeviceSynchronize());

    DataflowGraph graph;
    graph.add(make_warp(2.0f)).add(make_blend(0.5f));
    graph.run(canvas);

    std::vector<float> result(picture.size());
    must(cudaMemcpy(result.data(), canvas.blended, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (size_t i = 0; i < result.size(); ++i)
        if (std::fabs(result[i] - picture[i]) > 1e-3f) ++wrong;
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::puts("DONE");
    return wrong != 0;
}

}  // namespace

int main() try {
    must(cudaSetDevice(0));
    return app();
} catch (const GpuError& e) {
    std::printf("ERROR %s\n", e.what());
    return 1;
}
