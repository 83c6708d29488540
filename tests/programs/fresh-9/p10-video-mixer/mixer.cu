#include "mixer.h"

namespace {

__global__ void paint(std::uint32_t* canvas, int n, std::uint32_t frame) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) canvas[i] = (i + frame * 3u) & 0xffu;
}

__global__ void measure_picture(const std::uint32_t* canvas, int n, const std::uint32_t* previous_loudness,
                                std::uint32_t* brightness) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const std::uint32_t gain = previous_loudness ? (*previous_loudness & 1u) : 0u;
    if (i < n) atomicAdd(brightness, canvas[i] + gain);
}

__global__ void mix_audio(std::uint32_t* track, int n, std::uint32_t frame, const std::uint32_t* brightness,
                          std::uint32_t* loudness) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const std::uint32_t duck = *brightness & 3u;
    track[i] = ((i * 5u + frame) & 0x7fu) + duck;
    atomicAdd(loudness, track[i]);
}

}  // namespace

Mixer::Mixer(const MixConfig& cfg) : cfg_(cfg), picture_done_(cfg.ring) {
    RT(cudaStreamCreateWithFlags(&video_, cudaStreamNonBlocking));
    RT(cudaStreamCreateWithFlags(&audio_, cudaStreamNonBlocking));
    for (auto& e : picture_done_) RT(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    const std::size_t word = sizeof(std::uint32_t);
    RT(cudaMalloc(&canvas_, word * cfg.ring * cfg.pixels));
    RT(cudaMalloc(&track_, word * cfg.ring * cfg.samples));
    RT(cudaMalloc(&loudness_, word * cfg.frames));
    RT(cudaMalloc(&brightness_, word * cfg.frames));
    RT(cudaMemset(loudness_, 0, word * cfg.frames));
    RT(cudaMemset(brightness_, 0, word * cfg.frames));
    RT(cudaDeviceSynchronize());
}

Mixer::~Mixer() {
    for (void* p : {canvas_, track_, loudness_, brightness_}) cudaFree(p);
    for (auto e : picture_done_) cudaEventDestroy(e);
    cudaStreamDestroy(audio_);
    cudaStreamDestroy(video_);
}

void Mixer::render_video(int frame) {
    std::uint32_t* picture = canvas_ + std::size_t(frame % cfg_.ring) * cfg_.pixels;
    const int blocks = (cfg_.pixels + 255) / 256;
    const std::uint32_t tick = static_cast<std::uint32_t>(frame) + 1u;

    paint<<<blocks, 256, 0, video_>>>(picture, cfg_.pixels, static_cast<std::uint32_t>(frame));
    RT(cudaGetLastError());
    if (frame > 0) audio_clock_.reach(video_, tick);
    measure_picture<<<blocks, 256, 0, video_>>>(picture, cfg_.pixels, frame > 0 ? loudness_ + frame - 1 : nullptr,
                                                brightness_ + frame);
    RT(cudaGetLastError());
    RT(cudaEventRecord(picture_done_[frame % cfg_.ring], video_));
}

void Mixer::render_audio(int frame) {
    std::uint32_t* block = track_ + std::size_t(frame % cfg_.ring) * cfg_.samples;
    RT(cudaStreamWaitEvent(audio_, picture_done_[frame % cfg_.ring], 0));
    mix_audio<<<(cfg_.samples + 127) / 128, 128, 0, audio_>>>(block, cfg_.samples, static_cast<std::uint32_t>(frame),
                                                              brightness_ + frame, loudness_ + frame);
    RT(cudaGetLastError());
    audio_clock_.advance(audio_, static_cast<std::uint32_t>(frame) + 1u);
}

void Mixer::push(int frame) {
    render_video(frame);
    render_audio(frame);
}

void Mixer::finish() {
    RT(cudaStreamSynchronize(video_));
    RT(cudaStreamSynchronize(audio_));
}

std::vector<std::uint32_t> Mixer::video_levels() const {
    std::vector<std::uint32_t> v(cfg_.frames);
    RT(cudaMemcpy(v.data(), brightness_, v.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
    return v;
}

std::vector<std::uint32_t> Mixer::audio_levels() const {
    std::vector<std::uint32_t> v(cfg_.frames);
    RT(cudaMemcpy(v.data(), loudness_, v.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
    return v;
}
