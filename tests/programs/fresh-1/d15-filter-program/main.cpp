#include <cmath>

#include "filters.cuh"

namespace {

// A recorded chain of filters that can be replayed on a block of samples.
class Program {
public:
    Program(std::vector<std::unique_ptr<Filter>>& chain, StagingPool& staging, float* signal, int samples) {
        Q(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        Recorder recorder{stream_, staging, signal, samples, leases_};
        cudaGraph_t graph = nullptr;
        Q(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        for (auto& f : chain) f->record(recorder);
        Q(cudaStreamEndCapture(stream_, &graph));
        Q(cudaGraphInstantiate(&exec_, graph, 0));
        Q(cudaGraphDestroy(graph));
    }
    ~Program() {
        cudaGraphExecDestroy(exec_);
        cudaStreamDestroy(stream_);
    }
    Program(const Program&) = delete;

    void replay(float* device, float* pinned, int samples) {
        const size_t bytes = samples * sizeof(float);
        Q(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, stream_));
        Q(cudaGraphLaunch(exec_, stream_));
        Q(cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, stream_));
        Q(cudaStreamSynchronize(stream_));
    }

private:
    std::vector<StagingPool::Lease> leases_;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace

int main() {
    Q(cudaSetDevice(0));
    constexpr int samples = 1 << 16;
    float *signal = nullptr, *pinned = nullptr;
    Q(cudaMalloc(&signal, samples * sizeof(float)));
    Q(cudaMallocHost(&pinned, samples * sizeof(float)));

    int wrong = 0;
    {
        StagingPool staging(4, kTaps);
        std::vector<std::unique_ptr<Filter>> chain;
        chain.push_back(make_gain(2.0f));
        chain.push_back(make_offset(10.0f));
        chain.push_back(make_gain(4.0f));
        Program program(chain, staging, signal, samples);

        for (int block = 0; block < 3; ++block) {
            for (int i = 0; i < samples; ++i) pinned[i] = float((i + block) % 32);
            program.replay(signal, pinned, samples);
            for (int i = 0; i < samples; ++i) {
                double want = double((i + block) % 32);
                for (auto& f : chain) want = f->apply(want, i);
                if (std::fabs(pinned[i] - want) > 1e-2) ++wrong;
            }
        }
    }
    Q(cudaFree(signal));
    Q(cudaFreeHost(pinned));
    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::puts("DONE");
    return 0;
}
