#pragma once

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

#include <cuda_runtime.h>

// Everything one game frame hands from the simulation to sound and picture.
struct FrameTicket {
    int index = 0;
    int emitters = 0;
    float* energy = nullptr;          // pinned, one value per emitter
    cudaEvent_t simulated = nullptr;
    std::promise<float> gainPromise;
    std::future<float> gain;
};

[[noreturn]] void fail(cudaError_t status);

inline void must(cudaError_t status) {
    if (status != cudaSuccess) fail(status);
}

// Turns the energies of a frame into the master gain, on a thread of its own.
class AudioMixer {
public:
    AudioMixer();
    ~AudioMixer();
    AudioMixer(const AudioMixer&) = delete;
    AudioMixer& operator=(const AudioMixer&) = delete;

    void enqueue(FrameTicket* ticket);
    void stop();

private:
    void run();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<FrameTicket*> inbox_;
    bool stopping_ = false;
    std::thread thread_;
};
