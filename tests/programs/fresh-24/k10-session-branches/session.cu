#include <cstring>
#include "session.h"
namespace asr {
namespace {
struct WindowParams {
    int gain;
    int bias;
    int samples;
};

__device__ void listen(long long ns) {
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a)::"memory");
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b)::"memory");
    } while (b - a < (unsigned long long)ns);
}

__global__ void window(const int* audio, int* features, WindowParams p) {
    listen(5000000);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.samples) features[i] = audio[i] * p.gain + p.bias;
}

__global__ void measure(const int* audio, int samples, unsigned* energy) {
    listen(20000000);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < samples) atomicAdd(energy, (unsigned)(audio[i] * audio[i]));
}

__global__ void normalise(int* features, int samples, const unsigned* energy) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < samples) features[i] -= (int)(*energy % 1009u);
}

int blocks(int n) { return (n + 255) / 256; }
}  // namespace

Session::Session(SessionConfig cfg) : cfg_(std::move(cfg)) {
    const size_t bytes = cfg_.samples * sizeof(int);
    ASR_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ASR_CUDA(cudaMallocHost(&hostIn_, bytes));
    ASR_CUDA(cudaMallocHost(&hostOut_, bytes));
    ASR_CUDA(cudaMalloc(&audio_, bytes));
    ASR_CUDA(cudaMalloc(&features_, bytes));
    ASR_CUDA(cudaMalloc(&energy_, sizeof(unsigned)));
    addStages();
}

Session::~Session() {
    cudaStreamSynchronize(stream_);
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaFree(energy_);
    cudaFree(features_);
    cudaFree(audio_);
    cudaFreeHost(hostOut_);
    cudaFreeHost(hostIn_);
    cudaStreamDestroy(stream_);
}

void Session::addStages() {
    const int n = cfg_.samples;
    stages_.emplace_back("receive", [this, n](CaptureScope& c) {
        ASR_CUDA(cudaMemcpyAsync(audio_, hostIn_, n * sizeof(int), cudaMemcpyHostToDevice,
                                 c.trunk()));
    });
    stages_.emplace_back("front end", [this, n](CaptureScope& c) {
        CaptureScope::Branch beside(c);
        ASR_CUDA(cudaMemsetAsync(energy_, 0, sizeof(unsigned), beside.stream()));
        measure<<<blocks(n), 256, 0, beside.stream()>>>(audio_, n, energy_);
        const WindowParams p{cfg_.gain, cfg_.bias, n};
        window<<<blocks(n), 256, 0, c.trunk()>>>(audio_, features_, p);
        ASR_CUDA(cudaGetLastError());
    });
    stages_.emplace_back("normalise", [this, n](CaptureScope& c) {
        normalise<<<blocks(n), 256, 0, c.trunk()>>>(features_, n, energy_);
        ASR_CUDA(cudaGetLastError());
    });
    stages_.emplace_back("deliver", [this, n](CaptureScope& c) {
        ASR_CUDA(cudaMemcpyAsync(hostOut_, features_, n * sizeof(int), cudaMemcpyDeviceToHost,
                                 c.trunk()));
        ASR_CUDA(cudaLaunchHostFunc(c.trunk(), &Session::delivered, &chunks_));
    });
}

void Session::prepare() {
    CaptureScope scope;
    for (auto& s : stages_) s.second(scope);
    exec_ = scope.seal();
    stages_.clear();
}

void CUDART_CB Session::delivered(void* user) { ++*static_cast<std::atomic<int>*>(user); }

void Session::feed(const std::vector<int>& chunk) {
    std::memcpy(hostIn_, chunk.data(), cfg_.samples * sizeof(int));
    ASR_CUDA(cudaGraphLaunch(exec_, stream_));
}

std::vector<int> Session::collect() {
    ASR_CUDA(cudaStreamSynchronize(stream_));
    return std::vector<int>(hostOut_, hostOut_ + cfg_.samples);
}

std::vector<int> transcribed(const SessionConfig& cfg, const std::vector<int>& chunk) {
    unsigned energy = 0;
    for (int v : chunk) energy += (unsigned)(v * v);
    std::vector<int> out(chunk.size());
    for (size_t i = 0; i < chunk.size(); ++i)
        out[i] = chunk[i] * cfg.gain + cfg.bias - (int)(energy % 1009u);
    return out;
}
}  // namespace asr
