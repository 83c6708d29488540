#include "engine.h"

namespace audio {

namespace {

__global__ void applyGain(short* pcm, int frames, int gain) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < 20000000ull);
    for (int i = threadIdx.x; i < frames; i += blockDim.x) {
        int v = pcm[i] * gain;
        pcm[i] = static_cast<short>(v > 32767 ? 32767 : v);
    }
}

}  // namespace

Engine::Engine(Format format, Sink sink)
    : format_(format), sink_(std::move(sink)), pool_(format.framesPerPeriod, 4) {
    expect(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

Engine::~Engine() { cudaStreamDestroy(stream_); }

void Engine::setFormat(Format format) {
    if (format.framesPerPeriod != format_.framesPerPeriod) pool_.resize(format.framesPerPeriod, stream_);
    format_ = format;
}

void Engine::process(int period) {
    Block* b = pool_.acquire();
    b->period = period;
    for (int i = 0; i < b->frames; ++i) b->pcm[i] = static_cast<short>((period * 37 + i) % 9000);
    const size_t bytes = b->frames * sizeof(short);
    expect(cudaMemcpyAsync(b->device, b->pcm, bytes, cudaMemcpyHostToDevice, stream_));
    applyGain<<<1, 256, 0, stream_>>>(b->device, b->frames, 4);
    expect(cudaGetLastError());
    expect(cudaMemcpyAsync(b->pcm, b->device, bytes, cudaMemcpyDeviceToHost, stream_));
    expect(cuLaunchHostFunc(stream_, &Engine::blockDone, new Ticket{this, b}));
}

void CUDA_CB Engine::blockDone(void* user) {
    Ticket* t = static_cast<Ticket*>(user);
    t->engine->sink_(t->block->period, t->block->pcm, t->block->frames);
    t->engine->pool_.release(t->block);
    delete t;
}

void Engine::stop() { expect(cudaStreamSynchronize(stream_)); }

}  // namespace audio
