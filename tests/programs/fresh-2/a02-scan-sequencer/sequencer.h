#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdint>
#include <vector>

namespace us {

struct ScanConfig {
    int channels = 3;
    int samples = 1 << 16;
    int shots = 4;
    float gain = 1.25f;
};

void check_rt(cudaError_t e);
void check_drv(CUresult r);

// Kernels live in beamform.cu.
void load_kernels();
void launch_emit(float* echo, int n, int channel, int shot, cudaStream_t s);
void launch_envelope(const float* echo, float* env, int n, const float* gain, cudaStream_t s);

// Fires all channels at the same instant: the channels are armed behind a gate word,
// and the host opens the gate once the shot is fully described.
class Sequencer {
public:
    explicit Sequencer(const ScanConfig& cfg);
    ~Sequencer();

    float fire(int shot);
    const std::vector<float>& collect();

private:
    struct Channel {
        cudaStream_t stream;
        float* echo;
        float* env;
        float* host_env;
    };
    void arm(Channel& c, int index, int shot);
    float noise_floor();
    void open_gate(int shot);

    ScanConfig cfg_;
    std::vector<Channel> channels_;
    volatile uint32_t* gate_ = nullptr;
    CUdeviceptr gate_dev_ = 0;
    float* gain_dev_ = nullptr;
    float* floor_dev_ = nullptr;
    std::vector<float> image_;
};

}  // namespace us
