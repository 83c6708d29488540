#include "dwell_engine.h"

namespace radar {
namespace {
__device__ unsigned long long nowNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)::"memory");
    return t;
}

__global__ void integrate(int dwell, int cells, unsigned threshold, long long ns, unsigned* peak,
                          Totals* totals) {
    const unsigned long long begin = nowNs();
    while (nowNs() - begin < (unsigned long long)ns) {
    }
    const int stride = gridDim.x * blockDim.x;
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < cells; c += stride) {
        const unsigned v = echo(dwell, c);
        atomicMax(peak, v);
        if (v > threshold) atomicAdd(&totals->detections, 1ull);
        atomicAdd(&totals->cells, 1ull);
    }
}
}  // namespace

DwellEngine::DwellEngine(const EngineConfig& cfg, FlightRecorder& recorder)
    : cfg_(cfg), recorder_(recorder) {
    RADAR_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    RADAR_CUDA(cudaMalloc(&peaksDev_, cfg_.maxDwells * sizeof(unsigned)));
    RADAR_CUDA(cudaMalloc(&totalsDev_, sizeof(Totals)));
    RADAR_CUDA(cudaMallocHost(&peaksHost_, cfg_.maxDwells * sizeof(unsigned)));
    RADAR_CUDA(cudaMallocHost(&totalsHost_, sizeof(Totals)));
    RADAR_CUDA(cudaMemsetAsync(peaksDev_, 0, cfg_.maxDwells * sizeof(unsigned), stream_));
    RADAR_CUDA(cudaMemsetAsync(totalsDev_, 0, sizeof(Totals), stream_));
    slots_.resize(cfg_.maxDwells);
    for (int d = 0; d < cfg_.maxDwells; ++d)
        slots_[d] = Slot{this, d, peaksHost_ + d, peaksDev_ + d};
    RADAR_CUDA(cudaStreamSynchronize(stream_));
}

DwellEngine::~DwellEngine() {
    cudaStreamSynchronize(stream_);
    cudaFreeHost(totalsHost_);
    cudaFreeHost(peaksHost_);
    cudaFree(totalsDev_);
    cudaFree(peaksDev_);
    cudaStreamDestroy(stream_);
}

void DwellEngine::submit(int dwell) {
    Slot& s = slots_.at(dwell);
    integrate<<<8, 128, 0, stream_>>>(dwell, cfg_.cells, cfg_.threshold, cfg_.integrationNs,
                                      s.peakDev, totalsDev_);
    RADAR_CUDA(cudaGetLastError());
    RADAR_CUDA(cudaMemcpyAsync(s.peakHost, s.peakDev, sizeof(unsigned), cudaMemcpyDeviceToHost,
                               stream_));
    RADAR_CUDA(cudaLaunchHostFunc(stream_, &DwellEngine::completed, &s));
}

void CUDART_CB DwellEngine::completed(void* user) {
    const Slot& s = *static_cast<Slot*>(user);
    s.engine->recorder_.push(DwellRecord{s.dwell, *s.peakHost});
}

Totals DwellEngine::readTotals() {
    RADAR_CUDA(cudaMemcpyAsync(totalsHost_, totalsDev_, sizeof(Totals), cudaMemcpyDeviceToHost,
                               stream_));
    RADAR_CUDA(cudaStreamSynchronize(stream_));
    return *totalsHost_;
}

void DwellEngine::drain() { RADAR_CUDA(cudaStreamSynchronize(stream_)); }
}  // namespace radar
