// Training loop with a checkpoint every few steps.
#include "checkpoint.h"

namespace {

__global__ void init(float* w, std::size_t n)
{
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        w[i] = static_cast<float>(i % 8);
}

__global__ void descend(float* w, std::size_t n)
{
    occupy(2'000'000);
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) w[i] += 1.0f;
}

class Trainer {
public:
    explicit Trainer(std::size_t n) : n_(n)
    {
        TRY(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        TRY(cudaMalloc(&weights_, n * sizeof(float)));
        init<<<48, 256, 0, stream_>>>(weights_, n_);
        TRY(cudaGetLastError());
    }
    ~Trainer()
    {
        cudaFree(weights_);
        cudaStreamDestroy(stream_);
    }
    void step()
    {
        descend<<<48, 256, 0, stream_>>>(weights_, n_);
        TRY(cudaGetLastError());
    }
    void finish() const { TRY(cudaStreamSynchronize(stream_)); }
    const float* weights() const { return weights_; }
    cudaStream_t stream() const { return stream_; }

private:
    std::size_t n_;
    float* weights_ = nullptr;
    cudaStream_t stream_ = nullptr;
};

struct Schedule {
    int steps = 12;
    int every = 3;
};

}  // namespace

int main()
{
    const std::size_t n = 1 << 18;
    const Schedule schedule;
    Trainer trainer(n);
    Checkpointer checkpointer(n);

    for (int step = 1; step <= schedule.steps; ++step) {
        trainer.step();
        if (step % schedule.every == 0) checkpointer.save(step, trainer.weights(), trainer.stream());
    }
    trainer.finish();
    const auto archive = checkpointer.close();

    std::size_t wrong = 0;
    for (const auto& record : archive)
        for (std::size_t i = 0; i < n; ++i)
            wrong += record.weights[i] != static_cast<uint16_t>((i % 8 + record.step) * 16);
    if (archive.size() != std::size_t(schedule.steps / schedule.every)) wrong += n;

    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
}
