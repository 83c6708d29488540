#include "antenna.hpp"

namespace corr {

Antenna::Antenna(int id, int samples) : samples_(samples)
{
    verify(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    verify(cudaMallocHost(reinterpret_cast<void**>(&host_calibration_), sizeof(Calibration)));
    verify(cudaMallocHost(reinterpret_cast<void**>(&host_power_), sizeof(*host_power_)));
    verify(cudaMalloc(reinterpret_cast<void**>(&calibration_), sizeof(Calibration)));
    verify(cudaMalloc(reinterpret_cast<void**>(&power_), sizeof(*power_)));
    *host_calibration_ = {id + 2, 5 * id + 1};
    *host_power_ = 0;
}

Antenna::~Antenna()
{
    cudaStreamSynchronize(stream_);
    cudaFree(power_);
    cudaFree(calibration_);
    cudaFreeHost(host_power_);
    cudaFreeHost(host_calibration_);
    cudaStreamDestroy(stream_);
}

void Antenna::self_test()
{
    Gate gate;
    gate.open();
    enqueue_gate(gate, stream_);
    verify(cudaMemcpyAsync(calibration_, host_calibration_, sizeof(Calibration), cudaMemcpyHostToDevice, stream_));
    enqueue_correlation(calibration_, power_, 16, stream_);
    verify(cudaStreamSynchronize(stream_));
}

unsigned long long Antenna::integrate(const Gate& gate, std::promise<void> armed)
{
    enqueue_gate(gate, stream_);
    verify(cudaMemcpyAsync(calibration_, host_calibration_, sizeof(Calibration), cudaMemcpyHostToDevice, stream_));
    verify(cudaStreamSynchronize(stream_));
    armed.set_value();

    enqueue_correlation(calibration_, power_, samples_, stream_);
    verify(cudaMemcpyAsync(host_power_, power_, sizeof(*power_), cudaMemcpyDeviceToHost, stream_));
    verify(cudaStreamSynchronize(stream_));
    return *host_power_;
}

}  // namespace corr
