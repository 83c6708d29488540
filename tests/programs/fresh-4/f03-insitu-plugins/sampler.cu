#include "plugin.hpp"

namespace insitu {

namespace {
__global__ void sample_probe(const volatile float* field, int probe, float* trace, int capacity,
                             volatile unsigned* control) {
    unsigned taken = 0;
    while (control[0] == 0) {
        trace[taken % capacity] = field[probe];
        ++taken;
        control[1] = taken;
        __threadfence_system();
        for (int i = 0; i < 50; ++i) __nanosleep(1000);
    }
}
}  // namespace

Sampler::Sampler(int capacity) : capacity_(capacity) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaHostAlloc(reinterpret_cast<void**>(&control_), 2 * sizeof(unsigned), cudaHostAllocMapped));
    check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&control_dev_), control_, 0));
    check(cudaMalloc(reinterpret_cast<void**>(&trace_), capacity * sizeof(float)));
}

Sampler::~Sampler() {
    cudaFree(trace_);
    cudaFreeHost(control_);
    cudaStreamDestroy(stream_);
}

void Sampler::start(const FieldView& field, int probe) {
    volatile unsigned* c = control_;
    c[0] = 0;
    c[1] = 0;
    sample_probe<<<1, 1, 0, stream_>>>(field.data, probe, trace_, capacity_, control_dev_);
    check(cudaGetLastError());
    while (c[1] == 0) {
    }
}

int Sampler::finish() {
    volatile unsigned* c = control_;
    c[0] = 1;
    check(cudaStreamSynchronize(stream_));
    return static_cast<int>(c[1]);
}

}  // namespace insitu
