#pragma once
#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

inline void cuCheck(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

struct Request {
    int id;
    const int* input;   // device
    int* output;        // device
};

// One scheduler thread feeds a fixed set of execution lanes.
class InferenceSession {
public:
    InferenceSession(int lanes, int width);
    ~InferenceSession();
    InferenceSession(const InferenceSession&) = delete;
    InferenceSession& operator=(const InferenceSession&) = delete;

    void submit(Request r);
    void drain();
    size_t served() const { return served_; }

private:
    struct Lane {
        cudaStream_t stream{};
        int* activations{};
    };

    void schedulerMain();
    void forward(Lane& lane, const Request& r);

    int width_;
    std::vector<Lane> lanes_;
    std::deque<Request> queue_;
    std::mutex mutex_;
    std::condition_variable work_;
    std::condition_variable idle_;
    bool busy_ = false;
    bool quit_ = false;
    size_t served_ = 0;
    std::thread scheduler_;
};
