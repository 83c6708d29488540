// Video scoring: every frame gets a score at once and an attribution report a little later.
#include <cstdint>
#include "tensor.cuh"

namespace {

constexpr int kRows = 256, kCols = 512, kFrames = 6;

class Scorer {
public:
    Scorer()
    {
        mem::must(cudaStreamCreateWithFlags(&model_, cudaStreamNonBlocking));
        mem::must(cudaStreamCreateWithFlags(&report_, cudaStreamNonBlocking));
        mem::must(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
        mem::must(cudaMalloc(&scores_, 2 * kFrames * sizeof(*scores_)));
        mem::must(cudaMemset(scores_, 0, 2 * kFrames * sizeof(*scores_)));
        mem::must(cudaDeviceSynchronize());
    }
    ~Scorer()
    {
        cudaFree(scores_);
        cudaEventDestroy(ready_);
        cudaStreamDestroy(report_);
        cudaStreamDestroy(model_);
    }

    void submit(int frame)
    {
        Tensor hidden = activations(frame);
        ops::sum(hidden, scores_ + frame, model_);
        mem::must(cudaEventRecord(ready_, model_));
        mem::must(cudaStreamWaitEvent(report_, ready_, 0));
        ops::attribute(hidden, scores_ + kFrames + frame, report_);
    }

    void collect(unsigned long long* host)
    {
        mem::must(cudaStreamSynchronize(model_));
        mem::must(cudaStreamSynchronize(report_));
        mem::must(cudaMemcpy(host, scores_, 2 * kFrames * sizeof(*scores_), cudaMemcpyDeviceToHost));
    }

private:
    Tensor activations(int frame)
    {
        Tensor embedded = ops::embed(frame, kRows, kCols, model_);
        return ops::relu_scale(embedded, 2.0f, model_);
    }

    cudaStream_t model_ = nullptr, report_ = nullptr;
    cudaEvent_t ready_ = nullptr;
    unsigned long long* scores_ = nullptr;
};

}  // namespace

int main()
{
    unsigned long long got[2 * kFrames];
    {
        Scorer scorer;
        for (int f = 0; f < kFrames; ++f) scorer.submit(f);
        scorer.collect(got);
    }
    mem::BlockCache::instance().trim();

    int wrong = 0;
    for (int f = 0; f < kFrames; ++f) {
        unsigned long long score = 0, report = 0;
        for (int r = 0; r < kRows; ++r)
            for (int c = 0; c < kCols; ++c) {
                const unsigned long long v = 2ull * (f + 1 + ((r * kCols + c) & 3));
                score += v;
                report += v * (r % 5 + 1);
            }
        wrong += got[f] != score;
        wrong += got[kFrames + f] != report;
    }
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
