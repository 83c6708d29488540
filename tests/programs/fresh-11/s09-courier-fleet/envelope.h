#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include <cuda_runtime.h>

void require(cudaError_t status, const char* what);

// A scan on its way from a robot to the map actor; the samples are page-locked.
struct Envelope {
    int robot = -1;
    int sequence = -1;
    float* samples = nullptr;
};

using EnvelopePtr = std::shared_ptr<Envelope>;

// Fixed set of envelopes; a handle that dies puts its envelope back on the shelf.
class EnvelopePool {
public:
    EnvelopePool(int envelopes, int samples) : storage_(envelopes) {
        for (Envelope& e : storage_) {
            require(cudaMallocHost(&e.samples, samples * sizeof(float)), "envelope");
            shelf_.push_back(&e);
        }
    }

    ~EnvelopePool() {
        for (Envelope& e : storage_) cudaFreeHost(e.samples);
    }

    EnvelopePtr acquire() {
        std::unique_lock<std::mutex> lock(mutex_);
        available_.wait(lock, [this] { return !shelf_.empty(); });
        Envelope* e = shelf_.back();
        shelf_.pop_back();
        return EnvelopePtr(e, [this](Envelope* back) { release(back); });
    }

private:
    void release(Envelope* e) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            shelf_.push_back(e);
        }
        available_.notify_one();
    }

    std::mutex mutex_;
    std::condition_variable available_;
    std::vector<Envelope> storage_;
    std::vector<Envelope*> shelf_;
};
