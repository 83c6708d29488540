#pragma once
#include "block_pool.h"

#include <atomic>
#include <functional>

namespace audio {

struct Format {
    int sampleRate;
    int framesPerPeriod;
};

class Engine {
public:
    using Sink = std::function<void(int period, const short* pcm, int frames)>;

    Engine(Format format, Sink sink);
    ~Engine();

    void setFormat(Format format);
    void process(int period);
    void stop();

private:
    struct Ticket {
        Engine* engine;
        Block* block;
    };
    static void CUDA_CB blockDone(void* user);

    Format format_;
    Sink sink_;
    cudaStream_t stream_{};
    BlockPool pool_;
};

}  // namespace audio
