#include "encoder.h"

namespace ve {

namespace {

__global__ void measure(const int* luma, int n, int* activity) {
    const long long begin = clock64();
    while (clock64() - begin < 40000000ll) {
    }
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += luma[i];
    atomicAdd(&total, sum);
    __syncthreads();
    if (threadIdx.x == 0) *activity = total;
}

__global__ void quantise(const int* luma, int n, const int* quantiser, int* coded) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) coded[i] = luma[i] / *quantiser;
}

void CUDART_CB adoptDecision(void* user) {
    auto* frame = static_cast<Frame*>(user);
    *frame->quantiser = frame->control->decision(frame->number);
}

}  // namespace

Encoder::Encoder() {
    VE_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    VE_CHECK(cudaMalloc(&luma_, kBlocksPerFrame * sizeof(int)));
    VE_CHECK(cudaMalloc(&coded_, kBlocksPerFrame * sizeof(int)));
    VE_CHECK(cudaMalloc(&activity_, sizeof(int)));
    VE_CHECK(cudaMalloc(&quantiser_, sizeof(int)));
}

Encoder::~Encoder() {
    cudaStreamSynchronize(stream_);
    for (auto& frame : frames_) {
        cudaEventDestroy(frame->ready);
        cudaFreeHost(frame->luma);
        cudaFreeHost(frame->activity);
        cudaFreeHost(frame->quantiser);
        cudaFreeHost(frame->coded);
    }
    cudaFree(luma_);
    cudaFree(coded_);
    cudaFree(activity_);
    cudaFree(quantiser_);
    cudaStreamDestroy(stream_);
}

Frame& Encoder::acquire(int number) {
    auto frame = std::make_unique<Frame>();
    frame->number = number;
    frame->control = &control_;
    VE_CHECK(cudaMallocHost(&frame->luma, kBlocksPerFrame * sizeof(int)));
    VE_CHECK(cudaMallocHost(&frame->coded, kBlocksPerFrame * sizeof(int)));
    VE_CHECK(cudaMallocHost(&frame->activity, sizeof(int)));
    VE_CHECK(cudaMallocHost(&frame->quantiser, sizeof(int)));
    VE_CHECK(cudaEventCreateWithFlags(&frame->ready, cudaEventDisableTiming));
    frames_.push_back(std::move(frame));
    return *frames_.back();
}

void Encoder::encode(Frame& frame) {
    const std::size_t bytes = kBlocksPerFrame * sizeof(int);
    VE_CHECK(cudaMemcpyAsync(luma_, frame.luma, bytes, cudaMemcpyHostToDevice, stream_));
    measure<<<1, 512, 0, stream_>>>(luma_, kBlocksPerFrame, activity_);
    VE_CHECK(cudaGetLastError());
    VE_CHECK(cudaMemcpyAsync(frame.activity, activity_, sizeof(int), cudaMemcpyDeviceToHost, stream_));

    VE_CHECK(cudaLaunchHostFunc(stream_, adoptDecision, &frame));
    VE_CHECK(cudaMemcpyAsync(quantiser_, frame.quantiser, sizeof(int), cudaMemcpyHostToDevice, stream_));
    quantise<<<kBlocksPerFrame / 256, 256, 0, stream_>>>(luma_, kBlocksPerFrame, quantiser_, coded_);
    VE_CHECK(cudaGetLastError());
    VE_CHECK(cudaMemcpyAsync(frame.coded, coded_, bytes, cudaMemcpyDeviceToHost, stream_));
    VE_CHECK(cudaEventRecord(frame.ready, stream_));
    control_.push(&frame);
}

void Encoder::finish() { VE_CHECK(cudaStreamSynchronize(stream_)); }

}  // namespace ve
