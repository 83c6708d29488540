#include "transcoder.cuh"

namespace livecast {

namespace {

__device__ unsigned long long nanos() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__global__ void gradeAndCode(const unsigned char* source, unsigned char* coded, int n, unsigned micros) {
    const unsigned long long begin = nanos();
    while (nanos() - begin < micros * 1000ull) {
    }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        coded[i] = static_cast<unsigned char>(255 - source[i]) ^ 0x35;
    }
}

}  // namespace

Transcoder::Transcoder(const TranscoderConfig& config, SegmentStore& store)
    : config_(config), store_(store), banks_(config.depth) {
    LC_CALL(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (auto& b : banks_) {
        LC_CALL(cudaMalloc(reinterpret_cast<void**>(&b.source), config_.bytes()));
        LC_CALL(cudaMalloc(reinterpret_cast<void**>(&b.coded), config_.bytes()));
        LC_CALL(cudaEventCreateWithFlags(&b.done, cudaEventDisableTiming));
    }
}

Transcoder::~Transcoder() {
    flush();
    for (auto& b : banks_) {
        cudaEventDestroy(b.done);
        cudaFree(b.source);
        cudaFree(b.coded);
    }
    cudaStreamDestroy(stream_);
}

void Transcoder::submit(FrameRef frame) {
    if (flight_.size() == banks_.size()) retire();
    Bank& bank = banks_[next_++ % banks_.size()];
    const int number = frame->number;
    LC_CALL(cudaMemcpyAsync(bank.source, frame->pixels, config_.bytes(), cudaMemcpyHostToDevice, stream_));
    gradeAndCode<<<32, 256, 0, stream_>>>(bank.source, bank.coded, static_cast<int>(config_.bytes()),
                                          config_.searchMicros);
    LC_CALL(cudaGetLastError());
    LC_CALL(cudaMemcpyAsync(store_.picture(number), bank.coded, config_.bytes(), cudaMemcpyDeviceToHost, stream_));
    LC_CALL(cudaEventRecord(bank.done, stream_));
    flight_.push_back(Ticket{number, &bank});
}

void Transcoder::retire() {
    Ticket oldest = std::move(flight_.front());
    flight_.pop_front();
    LC_CALL(cudaEventSynchronize(oldest.bank->done));
    ++finished_;
}

void Transcoder::flush() {
    while (!flight_.empty()) retire();
}

}  // namespace livecast
