#pragma once
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "basin.h"

namespace tide {

// Background service which stages wind fields on the device while the solver sets itself up.
class ForcingLoader {
public:
    explicit ForcingLoader(int cells) : cells_(cells), worker_([this] { serve(); }) {}

    ~ForcingLoader() {
        {
            std::lock_guard<std::mutex> lock(m_);
            quit_ = true;
        }
        cv_.notify_all();
        worker_.join();
        for (int* f : fields_) cudaFree(f);
    }
    ForcingLoader(const ForcingLoader&) = delete;
    ForcingLoader& operator=(const ForcingLoader&) = delete;

    void load(int fields) {
        std::unique_lock<std::mutex> lock(m_);
        wanted_ += fields;
        cv_.notify_all();
        cv_.wait(lock, [this] { return failure_ || static_cast<int>(fields_.size()) >= wanted_; });
        if (failure_) std::rethrow_exception(failure_);
    }

    int verify() {
        int wrong = 0;
        std::vector<int> back(cells_);
        for (std::size_t f = 0; f < fields_.size(); ++f) {
            check(cudaMemcpy(back.data(), fields_[f], cells_ * sizeof(int), cudaMemcpyDeviceToHost));
            for (int v : back) wrong += v != static_cast<int>(f) + 40;
        }
        return wrong;
    }

private:
    void serve() {
        try {
            Branch own;
            std::unique_lock<std::mutex> lock(m_);
            for (;;) {
                cv_.wait(lock, [this] { return quit_ || static_cast<int>(fields_.size()) < wanted_; });
                if (quit_) return;
                std::vector<int> wind(cells_, static_cast<int>(fields_.size()) + 40);
                int* field = nullptr;
                check(cudaMalloc(&field, cells_ * sizeof(int)));
                fields_.push_back(field);
                check(cudaMemcpyAsync(field, wind.data(), cells_ * sizeof(int), cudaMemcpyHostToDevice, own.stream));
                check(cudaStreamSynchronize(own.stream));
                cv_.notify_all();
            }
        } catch (...) {
            std::lock_guard<std::mutex> lock(m_);
            failure_ = std::current_exception();
            cv_.notify_all();
        }
    }

    int cells_;
    std::mutex m_;
    std::condition_variable cv_;
    int wanted_ = 0;
    bool quit_ = false;
    std::exception_ptr failure_;
    std::vector<int*> fields_;
    std::thread worker_;
};

}  // namespace tide
