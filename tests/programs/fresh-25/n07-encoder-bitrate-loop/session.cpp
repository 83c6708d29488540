#include "codec_api.h"
#include <cstring>

namespace codec {

Session::~Session() {
    cudaFreeHost(stage_);
    cudaFree(control_);
    cudaFree(coded_);
    cudaFree(luma_);
    if (frameLoaded_) cudaEventDestroy(frameLoaded_);
    if (planStream_) cudaStreamDestroy(planStream_);
    if (encodeStream_) cudaStreamDestroy(encodeStream_);
}

Status Session::open() {
    CODEC_TRY(cudaStreamCreateWithFlags(&encodeStream_, cudaStreamNonBlocking));
    CODEC_TRY(cudaStreamCreateWithFlags(&planStream_, cudaStreamNonBlocking));
    CODEC_TRY(cudaEventCreateWithFlags(&frameLoaded_, cudaEventDisableTiming));
    CODEC_TRY(cudaMalloc(reinterpret_cast<void**>(&luma_), pixels()));
    CODEC_TRY(cudaMalloc(reinterpret_cast<void**>(&coded_), pixels()));
    CODEC_TRY(cudaMalloc(reinterpret_cast<void**>(&control_), sizeof(FrameControl)));
    CODEC_TRY(cudaMallocHost(reinterpret_cast<void**>(&stage_), pixels()));
    return {};
}

Status Session::encode(const std::vector<unsigned char>& luma, std::vector<unsigned char>& coded) {
    std::memcpy(stage_, luma.data(), luma.size());
    CODEC_TRY(cudaMemcpyAsync(luma_, stage_, luma.size(), cudaMemcpyHostToDevice, encodeStream_));
    CODEC_TRY(cudaMemsetAsync(control_, 0, sizeof(FrameControl), encodeStream_));
    CODEC_TRY(cudaEventRecord(frameLoaded_, encodeStream_));
    CODEC_TRY(cudaStreamWaitEvent(planStream_, frameLoaded_, 0));

    CODEC_TRY(launchEncode(luma_, coded_, control_, pixels(), encodeStream_));
    CODEC_TRY(launchBudget(luma_, control_, pixels(), config_.targetBits, planStream_));

    CODEC_TRY(cudaStreamSynchronize(planStream_));
    CODEC_TRY(cudaMemcpyAsync(stage_, coded_, pixels(), cudaMemcpyDeviceToHost, encodeStream_));
    CODEC_TRY(cudaStreamSynchronize(encodeStream_));
    coded.assign(stage_, stage_ + pixels());
    return {};
}

}  // namespace codec
