#include <cstring>

#include "matcher.h"

namespace stereo {

namespace {

__global__ void absoluteDifferences(const std::uint8_t* from, const std::uint8_t* to, int* volume,
                                    int width, int height, int disparities, int direction) {
    const int n = width * height * disparities;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int d = i / (width * height);
        const int at = i % (width * height);
        const int x = at % width + direction * d;
        volume[i] = x < 0 || x >= width ? 255 : abs(int(from[at]) - int(to[at + direction * d]));
    }
}

__global__ void winner(const int* volume, std::uint8_t* best, int pixels, int disparities) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    int at = 0;
    for (int d = 1; d < disparities; ++d)
        if (volume[d * pixels + i] < volume[at * pixels + i]) at = d;
    best[i] = static_cast<std::uint8_t>(at);
}

__global__ void agree(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out, int width, int pixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    const int other = i % width >= a[i] ? i - a[i] : i;
    out[i] = b[other] == a[i] ? a[i] : 255;
}

}  // namespace

Matcher::Matcher(int width, int height, int disparities)
    : width_(width), height_(height), disparities_(disparities), arena_(std::size_t{1} << 20) {
    const std::size_t pixels = static_cast<std::size_t>(width) * height;
    check(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    check(cudaEventCreateWithFlags(&join_, cudaEventDisableTiming));
    check(cudaMallocHost(&pair_, 2 * pixels));
    check(cudaMallocHost(&result_, pixels));
    record();
}

void Matcher::costs(const std::uint8_t* from, const std::uint8_t* to, int direction, std::uint8_t** best,
                    cudaStream_t stream) {
    const int pixels = width_ * height_;
    int* volume = arena_.get<int>(static_cast<std::size_t>(pixels) * disparities_);
    *best = arena_.get<std::uint8_t>(pixels);
    absoluteDifferences<<<64, 256, 0, stream>>>(from, to, volume, width_, height_, disparities_, direction);
    check(cudaGetLastError());
    winner<<<(pixels + 255) / 256, 256, 0, stream>>>(volume, *best, pixels, disparities_);
    check(cudaGetLastError());
}

void Matcher::record() {
    const int pixels = width_ * height_;
    std::uint8_t *fromLeft = nullptr, *fromRight = nullptr;
    cudaGraph_t graph = nullptr;

    check(cudaStreamBeginCapture(main_, cudaStreamCaptureModeGlobal));
    std::uint8_t* images = arena_.get<std::uint8_t>(2 * pixels);
    check(cudaMemcpyAsync(images, pair_, 2 * pixels, cudaMemcpyHostToDevice, main_));
    check(cudaEventRecord(fork_, main_));
    check(cudaStreamWaitEvent(side_, fork_, 0));
    costs(images, images + pixels, -1, &fromLeft, main_);
    costs(images + pixels, images, +1, &fromRight, side_);
    check(cudaEventRecord(join_, side_));
    check(cudaStreamWaitEvent(main_, join_, 0));
    std::uint8_t* merged = arena_.get<std::uint8_t>(pixels);
    agree<<<(pixels + 255) / 256, 256, 0, main_>>>(fromLeft, fromRight, merged, width_, pixels);
    check(cudaGetLastError());
    check(cudaMemcpyAsync(result_, merged, pixels, cudaMemcpyDeviceToHost, main_));
    check(cudaStreamEndCapture(main_, &graph));

    check(cudaGraphInstantiate(&exec_, graph, 0));
    check(cudaGraphDestroy(graph));
}

const std::uint8_t* Matcher::match(const std::vector<std::uint8_t>& left, const std::vector<std::uint8_t>& right) {
    std::memcpy(pair_, left.data(), left.size());
    std::memcpy(pair_ + left.size(), right.data(), right.size());
    check(cudaGraphLaunch(exec_, main_));
    check(cudaStreamSynchronize(main_));
    return result_;
}

Matcher::~Matcher() {
    if (exec_) cudaGraphExecDestroy(exec_);
    if (result_) cudaFreeHost(result_);
    if (pair_) cudaFreeHost(pair_);
    if (join_) cudaEventDestroy(join_);
    if (fork_) cudaEventDestroy(fork_);
    if (side_) cudaStreamDestroy(side_);
    if (main_) cudaStreamDestroy(main_);
}

}  // namespace stereo
