#include <cstdio>
#include <cstdlib>

#include "stages.h"

namespace telemetry {

void fail(const char* name) {
    std::printf("ERROR %s\n", name);
    std::fflush(stdout);
    std::_Exit(1);
}
void check(cudaError_t rc) {
    if (rc != cudaSuccess) fail(cudaGetErrorName(rc));
}
void check(CUresult rc) {
    const char* name = "CUDA_ERROR_UNKNOWN";
    if (rc == CUDA_SUCCESS) return;
    cuGetErrorName(rc, &name);
    fail(name);
}

__global__ void demodulate(unsigned* frame, unsigned packet, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) frame[i] = (i ^ packet) & 0xffu;
}

__global__ void accumulate(unsigned* sum, const unsigned* frame, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] += frame[i];
}

Demodulator::Demodulator(tring_t ring, const LinkOptions& opt) : ring_(ring), opt_(opt) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}
Demodulator::~Demodulator() { cudaStreamDestroy(stream_); }

void Demodulator::prepare() {
    demodulate<<<1, 32, 0, stream_>>>(nullptr, 0, 0);
    check(cudaStreamSynchronize(stream_));
}

void Demodulator::window(unsigned first_packet) {
    for (unsigned p = 0; p < opt_.burst; ++p) {
        CUdeviceptr frame = 0;
        check(tring_begin(ring_, stream_, &frame));
        demodulate<<<(opt_.samples + 255) / 256, 256, 0, stream_>>>(
            reinterpret_cast<unsigned*>(frame), first_packet + p, opt_.samples);
        check(cudaGetLastError());
    }
    check(tring_commit(ring_, stream_));
}

Accumulator::Accumulator(tring_t ring, const LinkOptions& opt) : ring_(ring), opt_(opt) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaMalloc(&sum_, opt_.samples * sizeof(unsigned)));
}
Accumulator::~Accumulator() {
    cudaFree(sum_);
    cudaStreamDestroy(stream_);
}

void Accumulator::prepare() {
    accumulate<<<1, 32, 0, stream_>>>(nullptr, nullptr, 0);
    check(cudaMemsetAsync(sum_, 0, opt_.samples * sizeof(unsigned), stream_));
    check(cudaStreamSynchronize(stream_));
}

void Accumulator::consume(unsigned packets) {
    for (unsigned p = 0; p < packets; ++p) {
        CUdeviceptr frame = 0;
        check(tring_peek(ring_, stream_, &frame));
        accumulate<<<(opt_.samples + 255) / 256, 256, 0, stream_>>>(
            sum_, reinterpret_cast<const unsigned*>(frame), opt_.samples);
        check(cudaGetLastError());
        check(tring_retire(ring_, stream_));
    }
}

std::vector<unsigned> Accumulator::result() {
    std::vector<unsigned> host(opt_.samples);
    check(cudaMemcpyAsync(host.data(), sum_, host.size() * sizeof(unsigned), cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    return host;
}

}  // namespace telemetry
