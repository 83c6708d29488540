#include "mixer.h"

namespace mixer {

namespace {

__global__ void fir(const float *in, float *out, const float *taps, float gain, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0;
    for (int t = 0; t < kTaps && t <= i; ++t)
        s += taps[t] * in[i - t];
    out[i] = gain * s;
}

__global__ void count_loud(const float *x, int n, float threshold, unsigned *count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > threshold)
        atomicAdd(count, 1u);
}

} // namespace

void design(int band, float *taps)
{
    for (int t = 0; t < kTaps; ++t)
        taps[t] = static_cast<float>((t * (band + 2) + band) % 5) * 0.25f + 0.25f * band;
}

Mixer::Mixer()
{
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ok(cudaMallocHost(&in_, kSamples * sizeof(float)));
    ok(cudaMallocHost(&out_, kBands * kSamples * sizeof(float)));
    ok(cudaMallocHost(&design_, kTaps * sizeof(float)));
    ok(cudaMallocHost(&loud_, sizeof(unsigned)));
    ok(cudaMalloc(&d_in_, kSamples * sizeof(float)));
    ok(cudaMalloc(&d_out_, kBands * kSamples * sizeof(float)));
    ok(cudaMalloc(&d_taps_, kBands * kTaps * sizeof(float)));
    ok(cudaMalloc(&d_loud_, sizeof(unsigned)));

    bands_ = record_bands();
    ok(cudaGraphInstantiate(&bands_exec_, bands_, 0));
    assemble_meter();
    ok(cudaGraphInstantiate(&meter_exec_, meter_, 0));
}

Mixer::~Mixer()
{
    cudaStreamSynchronize(stream_);
    cudaGraphExecDestroy(meter_exec_);
    cudaGraphExecDestroy(bands_exec_);
    cudaGraphDestroy(meter_);
    cudaGraphDestroy(bands_);
    for (void *p : {static_cast<void *>(d_in_), static_cast<void *>(d_out_),
                    static_cast<void *>(d_taps_), static_cast<void *>(d_loud_)})
        cudaFree(p);
    for (void *p : {static_cast<void *>(in_), static_cast<void *>(out_),
                    static_cast<void *>(design_), static_cast<void *>(loud_)})
        cudaFreeHost(p);
    cudaStreamDestroy(stream_);
}

// ---- bands: by capture ------------------------------------------------------

void Mixer::record_band(int b)
{
    float *taps = d_taps_ + b * kTaps;
    design(b, design_);
    ok(cudaMemcpyAsync(taps, design_, kTaps * sizeof(float), cudaMemcpyHostToDevice, stream_));
    fir<<<kSamples / 256, 256, 0, stream_>>>(d_in_, d_out_ + b * kSamples, taps, gain_, kSamples);
    ok(cudaGetLastError());
}

cudaGraph_t Mixer::record_bands()
{
    cudaGraph_t g{};
    ok(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    ok(cudaMemcpyAsync(d_in_, in_, kSamples * sizeof(float), cudaMemcpyHostToDevice, stream_));
    for (int b = 0; b < kBands; ++b)
        record_band(b);
    ok(cudaMemcpyAsync(out_, d_out_, kBands * kSamples * sizeof(float), cudaMemcpyDeviceToHost, stream_));
    ok(cudaStreamEndCapture(stream_, &g));
    return g;
}

void Mixer::set_gain(float g)
{
    gain_ = g;
    cudaGraph_t fresh = record_bands();
    cudaGraphExecUpdateResultInfo info{};
    if (cudaGraphExecUpdate(bands_exec_, fresh, &info) != cudaSuccess) {
        cudaGetLastError();
        ok(cudaGraphExecDestroy(bands_exec_));
        ok(cudaGraphInstantiate(&bands_exec_, fresh, 0));
    }
    ok(cudaGraphDestroy(bands_));
    bands_ = fresh;
}

// ---- meter: by hand -----------------------------------------------------------

cudaKernelNodeParams Mixer::meter_params()
{
    meter_args_[0] = &d_out_;
    meter_args_[1] = &n_;
    meter_args_[2] = &threshold_;
    meter_args_[3] = &d_loud_;

    cudaKernelNodeParams p{};
    p.func = reinterpret_cast<void *>(count_loud);
    p.gridDim = dim3(n_ / 256);
    p.blockDim = dim3(256);
    p.kernelParams = meter_args_;
    return p;
}

void Mixer::assemble_meter()
{
    cudaGraphNode_t clear{}, fetch{};
    ok(cudaGraphCreate(&meter_, 0));

    cudaMemsetParams zero{};
    zero.dst = d_loud_;
    zero.elementSize = sizeof(unsigned);
    zero.width = 1;
    zero.height = 1;
    ok(cudaGraphAddMemsetNode(&clear, meter_, nullptr, 0, &zero));

    const auto kernel = meter_params();
    ok(cudaGraphAddKernelNode(&meter_kernel_, meter_, &clear, 1, &kernel));
    ok(cudaGraphAddMemcpyNode1D(&fetch, meter_, &meter_kernel_, 1, loud_, d_loud_,
                                sizeof(unsigned), cudaMemcpyDeviceToHost));
}

void Mixer::set_threshold(float t)
{
    threshold_ = t;
    const auto kernel = meter_params();
    ok(cudaGraphExecKernelNodeSetParams(meter_exec_, meter_kernel_, &kernel));
}

// ---- a block --------------------------------------------------------------------

void Mixer::process()
{
    ok(cudaGraphLaunch(bands_exec_, stream_));
    ok(cudaGraphLaunch(meter_exec_, stream_));
    ok(cudaStreamSynchronize(stream_));
}

} // namespace mixer
