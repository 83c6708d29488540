#include "fir_bank.cuh"

#include <cmath>
#include <cstring>

namespace audio {

__global__ void convolve(const float* in, const float* taps, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= kBlock) return;
    float acc = 0.f;
    for (int k = 0; k < kTaps; ++k)
        if (i - k >= 0) acc += taps[k] * in[i - k];
    out[i] = acc;
}

__global__ void mix(const float* bands, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= kBlock) return;
    float acc = 0.f;
    for (int b = 0; b < kBands; ++b) acc += bands[b * kBlock + i];
    out[i] = acc;
}

void design_band(const BandSpec& spec, float* taps) {
    for (int k = 0; k < kTaps; ++k) {
        const float x = static_cast<float>(k - kTaps / 2) * spec.width;
        taps[k] = spec.gain * std::exp(-x * x) * std::cos(spec.centre * static_cast<float>(k));
    }
}

FirBank::FirBank() {
    FIR_CALL(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking));
    FIR_CALL(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    for (int b = 0; b < kBands; ++b) {
        FIR_CALL(cudaStreamCreateWithFlags(&side_[b], cudaStreamNonBlocking));
        FIR_CALL(cudaEventCreateWithFlags(&done_[b], cudaEventDisableTiming));
    }
    FIR_CALL(cudaMalloc(&taps_dev_, kBands * kTaps * sizeof(float)));
    FIR_CALL(cudaMallocHost(&taps_host_, kBands * kTaps * sizeof(float)));
    FIR_CALL(cudaMalloc(&in_dev_, kBlock * sizeof(float)));
    FIR_CALL(cudaMalloc(&band_dev_, kBands * kBlock * sizeof(float)));
    FIR_CALL(cudaMalloc(&out_dev_, kBlock * sizeof(float)));
    FIR_CALL(cudaMallocHost(&in_host_, kBlock * sizeof(float)));
    FIR_CALL(cudaMallocHost(&out_host_, kBlock * sizeof(float)));
}

FirBank::~FirBank() {
    if (exec_) FIR_CALL(cudaGraphExecDestroy(exec_));
    if (graph_) FIR_CALL(cudaGraphDestroy(graph_));
    for (int b = 0; b < kBands; ++b) {
        FIR_CALL(cudaEventDestroy(done_[b]));
        FIR_CALL(cudaStreamDestroy(side_[b]));
    }
    FIR_CALL(cudaEventDestroy(fork_));
    FIR_CALL(cudaStreamDestroy(main_));
    for (float* p : {taps_dev_, in_dev_, band_dev_, out_dev_}) FIR_CALL(cudaFree(p));
    for (float* p : {taps_host_, in_host_, out_host_}) FIR_CALL(cudaFreeHost(p));
}

void FirBank::record_upload(int band, const BandSpec& spec) {
    float* stage = taps_host_ + band * kTaps;
    design_band(spec, stage);
    FIR_CALL(cudaMemcpyAsync(taps_dev_ + band * kTaps, stage, kTaps * sizeof(float),
                             cudaMemcpyHostToDevice, main_));
}

void FirBank::record_band(int band) {
    FIR_CALL(cudaStreamWaitEvent(side_[band], fork_, 0));
    convolve<<<kBlock / 256, 256, 0, side_[band]>>>(in_dev_, taps_dev_ + band * kTaps,
                                                    band_dev_ + band * kBlock);
    FIR_CALL(cudaGetLastError());
    FIR_CALL(cudaEventRecord(done_[band], side_[band]));
    FIR_CALL(cudaStreamWaitEvent(main_, done_[band], 0));
}

void FirBank::compile(const Preset& preset) {
    FIR_CALL(cudaStreamBeginCapture(main_, cudaStreamCaptureModeThreadLocal));
    for (int b = 0; b < kBands; ++b) record_upload(b, preset[b]);
    FIR_CALL(cudaMemcpyAsync(in_dev_, in_host_, kBlock * sizeof(float), cudaMemcpyHostToDevice,
                             main_));
    FIR_CALL(cudaEventRecord(fork_, main_));
    for (int b = 0; b < kBands; ++b) record_band(b);
    mix<<<kBlock / 256, 256, 0, main_>>>(band_dev_, out_dev_);
    FIR_CALL(cudaGetLastError());
    FIR_CALL(cudaMemcpyAsync(out_host_, out_dev_, kBlock * sizeof(float), cudaMemcpyDeviceToHost,
                             main_));
    FIR_CALL(cudaStreamEndCapture(main_, &graph_));
    FIR_CALL(cudaGraphInstantiate(&exec_, graph_, 0));
}

void FirBank::process(const float* in, float* out) {
    std::memcpy(in_host_, in, kBlock * sizeof(float));
    FIR_CALL(cudaGraphLaunch(exec_, main_));
    FIR_CALL(cudaStreamSynchronize(main_));
    std::memcpy(out, out_host_, kBlock * sizeof(float));
}

}  // namespace audio
