#include "mixer.h"

#include <cstdio>
#include <cstdlib>

void fail(cudaError_t status) {
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

AudioMixer::AudioMixer() { thread_ = std::thread(&AudioMixer::run, this); }

AudioMixer::~AudioMixer() { stop(); }

void AudioMixer::stop() {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void AudioMixer::enqueue(FrameTicket* ticket) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        inbox_.push_back(ticket);
    }
    wake_.notify_one();
}

void AudioMixer::run() {
    for (;;) {
        FrameTicket* ticket = nullptr;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            wake_.wait(lock, [this] { return stopping_ || !inbox_.empty(); });
            if (inbox_.empty()) return;
            ticket = inbox_.front();
            inbox_.pop_front();
        }
        must(cudaEventSynchronize(ticket->simulated));
        float sum = 0.0f;
        for (int i = 0; i < ticket->emitters; ++i) sum += ticket->energy[i];
        ticket->gainPromise.set_value(sum / static_cast<float>(ticket->emitters));
    }
}
