#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>
#include "cuda_util.h"

namespace kws {

// Uploads the weights of all models on a thread of its own, in order.
class Loader {
public:
    explicit Loader(std::vector<std::vector<float>> files) : files_(std::move(files)) {
        thread_ = std::thread([this] {
            try {
                work();
            } catch (...) {
                std::lock_guard<std::mutex> lock(mutex_);
                failure_ = std::current_exception();
                changed_.notify_all();
            }
        });
    }
    ~Loader() {
        permit(files_.size());
        thread_.join();
    }

    // Lets the loader run ahead up to `count` models.
    void permit(size_t count) {
        std::lock_guard<std::mutex> lock(mutex_);
        if (count > permitted_) permitted_ = count;
        changed_.notify_all();
    }
    void awaitLoaded(size_t count) {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return failure_ || loaded_.size() >= count; });
        if (failure_) std::rethrow_exception(failure_);
    }
    Weights weights(size_t index) {
        std::lock_guard<std::mutex> lock(mutex_);
        return loaded_.at(index);
    }
private:
    void work() {
        cudaStream_t stream = nullptr;
        expect(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        for (const auto& file : files_) {
            {
                std::unique_lock<std::mutex> lock(mutex_);
                changed_.wait(lock, [&] { return permitted_ > loaded_.size(); });
            }
            Weights w;
            w.count = int(file.size());
            expect(cudaMalloc(&w.data, file.size() * sizeof(float)));
            expect(cudaMemcpyAsync(w.data, file.data(), file.size() * sizeof(float),
                                   cudaMemcpyHostToDevice, stream));
            expect(cudaStreamSynchronize(stream));
            std::lock_guard<std::mutex> lock(mutex_);
            loaded_.push_back(w);
            changed_.notify_all();
        }
        expect(cudaStreamDestroy(stream));
    }

    std::vector<std::vector<float>> files_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Weights> loaded_;
    size_t permitted_ = 0;
    std::exception_ptr failure_;
    std::thread thread_;
};
}  // namespace kws
