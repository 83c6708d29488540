#include "sequencer.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace us {

void check_rt(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

void check_drv(CUresult r) {
    if (r == CUDA_SUCCESS) return;
    const char* name = "unknown";
    cuGetErrorName(r, &name);
    std::printf("ERROR %s\n", name);
    std::fflush(stdout);
    std::_Exit(1);
}

Sequencer::Sequencer(const ScanConfig& cfg) : cfg_(cfg) {
    check_rt(cudaSetDevice(0));
    load_kernels();

    void* word = nullptr;
    check_rt(cudaHostAlloc(&word, sizeof(uint32_t), cudaHostAllocMapped));
    gate_ = static_cast<volatile uint32_t*>(word);
    *gate_ = 0;
    check_drv(cuMemHostGetDevicePointer(&gate_dev_, word, 0));

    check_rt(cudaMalloc(reinterpret_cast<void**>(&gain_dev_), sizeof(float)));
    check_rt(cudaMemcpy(gain_dev_, &cfg_.gain, sizeof(float), cudaMemcpyHostToDevice));
    const float floor = 0.5f;
    check_rt(cudaMalloc(reinterpret_cast<void**>(&floor_dev_), sizeof(float)));
    check_rt(cudaMemcpy(floor_dev_, &floor, sizeof(float), cudaMemcpyHostToDevice));

    const size_t bytes = cfg_.samples * sizeof(float);
    channels_.resize(cfg_.channels);
    for (auto& c : channels_) {
        check_rt(cudaStreamCreate(&c.stream));
        check_rt(cudaMalloc(reinterpret_cast<void**>(&c.echo), bytes));
        check_rt(cudaMalloc(reinterpret_cast<void**>(&c.env), bytes));
        check_rt(cudaMallocHost(reinterpret_cast<void**>(&c.host_env), bytes));
    }
    image_.assign(static_cast<size_t>(cfg_.channels) * cfg_.samples, 0.f);
    check_rt(cudaDeviceSynchronize());
}

Sequencer::~Sequencer() {
    for (auto& c : channels_) {
        check_rt(cudaStreamSynchronize(c.stream));
        check_rt(cudaStreamDestroy(c.stream));
        check_rt(cudaFree(c.echo));
        check_rt(cudaFree(c.env));
        check_rt(cudaFreeHost(c.host_env));
    }
    check_rt(cudaFree(gain_dev_));
    check_rt(cudaFree(floor_dev_));
    check_rt(cudaFreeHost(const_cast<uint32_t*>(gate_)));
}

void Sequencer::arm(Channel& c, int index, int shot) {
    check_drv(cuStreamWaitValue32(c.stream, gate_dev_, static_cast<cuuint32_t>(shot + 1),
                                  CU_STREAM_WAIT_VALUE_GEQ));
    launch_emit(c.echo, cfg_.samples, index, shot, c.stream);
    launch_envelope(c.echo, c.env, cfg_.samples, gain_dev_, c.stream);
    check_rt(cudaMemcpyAsync(c.host_env, c.env, cfg_.samples * sizeof(float),
                             cudaMemcpyDeviceToHost, c.stream));
}

float Sequencer::noise_floor() {
    float level = 0.f;
    check_rt(cudaMemcpy(&level, floor_dev_, sizeof(float), cudaMemcpyDeviceToHost));
    return level;
}

void Sequencer::open_gate(int shot) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    *gate_ = static_cast<uint32_t>(shot + 1);
    std::atomic_thread_fence(std::memory_order_seq_cst);
}

float Sequencer::fire(int shot) {
    for (size_t i = 0; i < channels_.size(); ++i) arm(channels_[i], static_cast<int>(i), shot);
    const float level = noise_floor();
    open_gate(shot);
    return level;
}

const std::vector<float>& Sequencer::collect() {
    for (size_t i = 0; i < channels_.size(); ++i) {
        check_rt(cudaStreamSynchronize(channels_[i].stream));
        for (int k = 0; k < cfg_.samples; ++k)
            image_[i * cfg_.samples + k] = channels_[i].host_env[k];
    }
    return image_;
}

}  // namespace us
