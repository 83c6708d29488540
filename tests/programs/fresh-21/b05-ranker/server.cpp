#include <algorithm>
#include "layer.h"

namespace {

constexpr int kWidth = 4096;

class Session {
public:
    explicit Session(const std::vector<LayerSpec>& model) {
        for (const LayerSpec& spec : model) layers_.push_back(LayerFactory::instance().make(spec));

        const std::size_t bytes = kWidth * sizeof(int);
        EXPECT(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        EXPECT(cudaMallocHost(reinterpret_cast<void**>(&request_), bytes));
        EXPECT(cudaMallocHost(reinterpret_cast<void**>(&response_), bytes));
        activations_.resize(layers_.size() + 1);
        for (int*& activation : activations_) {
            EXPECT(cudaMalloc(reinterpret_cast<void**>(&activation), bytes));
            EXPECT(cudaMemsetAsync(activation, 0, bytes, stream_));
        }
        EXPECT(cudaStreamSynchronize(stream_));
        record();
    }

    ~Session() {
        cudaGraphExecDestroy(plan_);
        for (int* activation : activations_) cudaFree(activation);
        cudaFreeHost(response_);
        cudaFreeHost(request_);
        cudaStreamDestroy(stream_);
    }

    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    std::vector<int> rank(const std::vector<int>& features) {
        std::copy(features.begin(), features.end(), request_);
        EXPECT(cudaGraphLaunch(plan_, stream_));
        EXPECT(cudaStreamSynchronize(stream_));
        return std::vector<int>(response_, response_ + kWidth);
    }

    std::vector<int> reference(std::vector<int> features) const {
        for (const auto& layer : layers_) features = layer->reference(features);
        return features;
    }

private:
    void record() {
        const std::size_t bytes = kWidth * sizeof(int);
        cudaGraph_t graph = nullptr;
        EXPECT(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        EXPECT(cudaMemcpyAsync(activations_.front(), request_, bytes, cudaMemcpyHostToDevice, stream_));
        for (std::size_t i = 0; i < layers_.size(); ++i) {
            layers_[i]->forward(stream_, activations_[i], activations_[i + 1]);
        }
        EXPECT(cudaMemcpyAsync(response_, activations_.back(), bytes, cudaMemcpyDeviceToHost, stream_));
        EXPECT(cudaStreamEndCapture(stream_, &graph));
        EXPECT(cudaGraphInstantiate(&plan_, graph, 0));
        EXPECT(cudaGraphDestroy(graph));
    }

    std::vector<std::unique_ptr<Layer>> layers_;
    std::vector<int*> activations_;
    int* request_ = nullptr;
    int* response_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t plan_ = nullptr;
};

std::vector<int> make_features(int query) {
    std::vector<int> features(kWidth);
    for (int i = 0; i < kWidth; ++i) features[i] = (i * 37 + query * 101) % 61 - 30;
    return features;
}

}  // namespace

int main() {
    Session session({{"mix", kWidth, 3}, {"rescale", kWidth, 5}, {"mix", kWidth, 11}, {"clip", kWidth, 4000}});

    int wrong = 0;
    for (int query = 0; query < 32; ++query) {
        const std::vector<int> features = make_features(query);
        if (session.rank(features) != session.reference(features)) ++wrong;
    }
    if (wrong) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
