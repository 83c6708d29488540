// Explicit heat equation on a rod; a block of steps is recorded once and
// replayed until the simulated time is over.
#include "probe.hpp"
#include <cmath>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

namespace {

__global__ void diffuse(const float* u, float* v, int n, float r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = i > 0 ? u[i - 1] : u[i];
    float right = i + 1 < n ? u[i + 1] : u[i];
    v[i] = u[i] + r * (left - 2.0f * u[i] + right);
}

class rod {
public:
    using observer = std::function<void(const float*, cudaStream_t)>;

    explicit rod(int n) : n_(n)
    {
        cuda_error::raise_if(cudaMalloc(&a_, n * sizeof(float)));
        cuda_error::raise_if(cudaMalloc(&b_, n * sizeof(float)));
        cuda_error::raise_if(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~rod()
    {
        if (exec_) cudaGraphExecDestroy(exec_);
        cudaStreamDestroy(stream_);
        cudaFree(b_);
        cudaFree(a_);
    }

    void load(const std::vector<float>& u)
    {
        cuda_error::raise_if(cudaMemcpy(a_, u.data(), n_ * sizeof(float), cudaMemcpyHostToDevice));
        cuda_error::raise_if(cudaDeviceSynchronize());
    }

    void on_step(observer o) { observers_.push_back(std::move(o)); }

    void compile(int steps)
    {
        cudaGraph_t graph = nullptr;
        cuda_error::raise_if(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
        for (int s = 0; s < steps; ++s) step();
        cuda_error::raise_if(cudaStreamEndCapture(stream_, &graph));
        cuda_error::raise_if(cudaGraphInstantiate(&exec_, graph, 0));
        cuda_error::raise_if(cudaGraphDestroy(graph));
    }

    void replay(int times)
    {
        for (int i = 0; i < times; ++i) cuda_error::raise_if(cudaGraphLaunch(exec_, stream_));
        cuda_error::raise_if(cudaStreamSynchronize(stream_));
    }

    std::vector<float> fetch() const
    {
        std::vector<float> u(n_);
        cuda_error::raise_if(cudaMemcpy(u.data(), a_, n_ * sizeof(float), cudaMemcpyDeviceToHost));
        return u;
    }

private:
    void step()
    {
        diffuse<<<(n_ + 255) / 256, 256, 0, stream_>>>(a_, b_, n_, 0.25f);
        cuda_error::raise_if(cudaGetLastError());
        for (auto& o : observers_) o(b_, stream_);
        std::swap(a_, b_);
    }

    int n_;
    float *a_ = nullptr, *b_ = nullptr;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    std::vector<observer> observers_;
};

std::vector<float> spike(int n)
{
    std::vector<float> u(n, 0.0f);
    for (int i = n / 2 - 8; i < n / 2 + 8; ++i) u[i] = 1.0f;
    return u;
}

} // namespace

int main()
{
    constexpr int n = 4096, steps = 8, replays = 16;
    try {
        rod bar(n);
        field_probe probe(n / 2, steps);
        bar.load(spike(n));
        bar.on_step([&](const float* u, cudaStream_t s) { probe.tap(u, s); });
        bar.compile(steps);
        bar.replay(replays);

        std::vector<float> u = spike(n), v(n), trace(steps);
        cuda_error::raise_if(cudaMemcpy(trace.data(), probe.trace(), steps * sizeof(float), cudaMemcpyDeviceToHost));
        int wrong = 0;
        for (int s = 0; s < steps * replays; ++s) {
            for (int i = 0; i < n; ++i) {
                float l = u[i ? i - 1 : 0], r = u[i + 1 < n ? i + 1 : i];
                v[i] = u[i] + 0.25f * (l - 2.0f * u[i] + r);
            }
            std::swap(u, v);
            int k = s - steps * (replays - 1);
            if (k >= 0 && std::fabs(trace[k] - u[n / 2]) > 1e-4f) ++wrong;
        }
        const auto got = bar.fetch();
        for (int i = 0; i < n; ++i) wrong += std::fabs(got[i] - u[i]) > 1e-4f;
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const cuda_error& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
