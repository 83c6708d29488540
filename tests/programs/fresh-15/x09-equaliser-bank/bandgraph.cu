#include "bandgraph.h"

namespace audio {

namespace {

__global__ void fir(const float* in, const float* coeff, int taps, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float acc = 0.0f;
    for (int k = 0; k < taps && k <= i; ++k) acc += coeff[k] * in[i - k];
    out[i] = acc;
}

__global__ void limit(float* out, int n, float ceiling) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = fminf(fmaxf(out[i], -ceiling), ceiling);
}

}  // namespace

BandGraph::BandGraph(cudaStream_t stream, const float* taps, int tapCount, const float* input, int samples)
    : tapCount_(tapCount), samples_(samples) {
    AUDIO_CHECK(cudaMalloc(&coeff_, tapCount * sizeof(float)));
    AUDIO_CHECK(cudaMalloc(&out_, samples * sizeof(float)));
    record(stream, taps, input);
}

BandGraph::~BandGraph() {
    if (exec_) cudaGraphExecDestroy(exec_);
    cudaFree(out_);
    cudaFree(coeff_);
}

void BandGraph::record(cudaStream_t stream, const float* taps, const float* input) {
    cudaGraph_t graph = nullptr;
    const int blocks = (samples_ + 127) / 128;
    AUDIO_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    AUDIO_CHECK(cudaMemcpyAsync(coeff_, taps, tapCount_ * sizeof(float), cudaMemcpyHostToDevice, stream));
    fir<<<blocks, 128, 0, stream>>>(input, coeff_, tapCount_, out_, samples_);
    limit<<<blocks, 128, 0, stream>>>(out_, samples_, 60000.0f);
    AUDIO_CHECK(cudaStreamEndCapture(stream, &graph));
    AUDIO_CHECK(cudaGraphInstantiate(&exec_, graph, 0));
    AUDIO_CHECK(cudaGraphDestroy(graph));
}

void BandGraph::play(cudaStream_t stream) const { AUDIO_CHECK(cudaGraphLaunch(exec_, stream)); }

Equaliser::Equaliser(int samples, int taps, const std::vector<BandSpec>& bands) : samples_(samples), designer_(taps) {
    AUDIO_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    AUDIO_CHECK(cudaMalloc(&input_, samples * sizeof(float)));
    for (const BandSpec& spec : bands) {
        const float* taps_ = designer_.design(spec);
        bands_.push_back(std::make_unique<BandGraph>(stream_, taps_, designer_.taps(), input_, samples_));
    }
}

Equaliser::~Equaliser() {
    bands_.clear();
    cudaFree(input_);
    cudaStreamDestroy(stream_);
}

std::vector<std::vector<float>> Equaliser::process(const std::vector<float>& block) {
    AUDIO_CHECK(cudaMemcpyAsync(input_, block.data(), samples_ * sizeof(float), cudaMemcpyHostToDevice, stream_));
    for (const auto& band : bands_) band->play(stream_);
    AUDIO_CHECK(cudaStreamSynchronize(stream_));
    std::vector<std::vector<float>> out;
    for (const auto& band : bands_) {
        out.emplace_back(samples_);
        AUDIO_CHECK(cudaMemcpy(out.back().data(), band->output(), samples_ * sizeof(float), cudaMemcpyDeviceToHost));
    }
    return out;
}

}  // namespace audio
