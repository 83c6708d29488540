#include <cstdio>
#include <vector>

#include "feeder.h"

namespace {

__global__ void update(uint32_t* weights, const uint32_t* batch, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) weights[i] = weights[i] * 31u + batch[i];
}

class Trainer {
public:
    explicit Trainer(int n) : n_(n) {
        ensure(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        ensure(cudaMalloc(&weights_, n_ * sizeof(uint32_t)));
        ensure(cudaMalloc(&zeros_, n_ * sizeof(uint32_t)));
        ensure(cudaMemsetAsync(weights_, 0, n_ * sizeof(uint32_t), stream_));
        ensure(cudaMemsetAsync(zeros_, 0, n_ * sizeof(uint32_t), stream_));
        apply(zeros_);
        ensure(cudaStreamSynchronize(stream_));
    }
    ~Trainer() {
        cudaFree(weights_);
        cudaFree(zeros_);
        cudaStreamDestroy(stream_);
    }
    void apply(const uint32_t* batch) {
        update<<<(n_ + 255) / 256, 256, 0, stream_>>>(weights_, batch, n_);
        ensure(cudaGetLastError());
    }
    std::vector<uint32_t> weights() {
        std::vector<uint32_t> out(n_);
        ensure(cudaStreamSynchronize(stream_));
        ensure(cudaMemcpy(out.data(), weights_, n_ * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        return out;
    }
    cudaStream_t stream() const { return stream_; }

private:
    int n_;
    uint32_t* weights_ = nullptr;
    uint32_t* zeros_ = nullptr;
    cudaStream_t stream_{};
};

}  // namespace

int main() {
    const FeederConfig cfg;
    Trainer trainer(cfg.batch);
    std::vector<uint32_t> got;
    {
        Feeder feeder(cfg);
        for (int step = 0; step < cfg.steps; ++step) {
            trainer.apply(feeder.next(step, trainer.stream()));
            feeder.recycle(step, trainer.stream());
        }
        got = trainer.weights();
    }

    int wrong = 0;
    for (int i = 0; i < cfg.batch; ++i) {
        uint32_t w = 0;
        for (int step = 0; step < cfg.steps; ++step) w = w * 31u + sample_value(step, i);
        wrong += w != got[i];
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
