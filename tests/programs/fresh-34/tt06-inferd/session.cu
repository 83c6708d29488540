#include "session.h"

#include <algorithm>

namespace inferd {

namespace {

__global__ void dense(const float *in, float *out, int n, float w, unsigned long long ns)
{
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b));
    } while (b - a < ns);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = fmaxf(0.0f, in[i] * w + 0.5f);
}

} // namespace

Session::Session(int client, Reactor &reactor) : client_(client), reactor_(reactor)
{
    const auto bytes = kFeatures * sizeof(float);
    const auto keep = [this](cudaError_t e) { if (setup_ == cudaSuccess) setup_ = e; };

    keep(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    keep(cudaMalloc(&d_in_, bytes));
    keep(cudaMalloc(&d_out_, bytes));
    keep(cudaMallocHost(&pin_in_, bytes));
    keep(cudaMallocHost(&pin_out_, bytes));
}

Session::~Session()
{
    cudaStreamSynchronize(stream_);
    cudaFreeHost(pin_out_);
    cudaFreeHost(pin_in_);
    cudaFree(d_out_);
    cudaFree(d_in_);
    cudaStreamDestroy(stream_);
}

cudaError_t Session::request(const std::vector<float> &features, OnReply done)
{
    if (setup_ != cudaSuccess)
        return setup_;

    done_ = std::move(done);
    std::copy(features.begin(), features.end(), pin_in_);

    const auto bytes = kFeatures * sizeof(float);
    if (auto e = cudaMemcpyAsync(d_in_, pin_in_, bytes, cudaMemcpyHostToDevice, stream_))
        return e;
    dense<<<kFeatures / 256, 256, 0, stream_>>>(d_in_, d_out_, kFeatures,
                                                0.25f * (client_ + 1), 20'000'000ull);
    if (auto e = cudaGetLastError())
        return e;
    return cudaLaunchHostFunc(stream_, &Session::layer_finished, this);
}

void CUDART_CB Session::layer_finished(void *self)
{
    auto *s = static_cast<Session *>(self);
    s->reactor_.invoke([s] { s->emit(); });
}

void Session::emit()
{
    done_(collect());
}

Reply Session::collect()
{
    Reply r{client_, std::vector<float>(kFeatures), cudaSuccess};
    r.status = cudaMemcpyAsync(pin_out_, d_out_, kFeatures * sizeof(float),
                               cudaMemcpyDeviceToHost, stream_);
    if (r.status == cudaSuccess)
        r.status = cudaStreamSynchronize(stream_);
    std::copy(pin_out_, pin_out_ + kFeatures, r.scores.begin());
    return r;
}

} // namespace inferd
