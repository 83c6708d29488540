#pragma once
#include <condition_variable>
#include <future>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

#include "device_array.h"
#include "mailbox.h"

// Credit scoring with a kernel that stays on the device and is fed through a mailbox.
class ScoringService {
public:
    explicit ScoringService(const std::vector<float>& weights);
    ~ScoringService();

    std::future<std::vector<float>> score(std::vector<float> applicants);

private:
    struct Request {
        std::vector<float> rows;
        std::promise<std::vector<float>> reply;
    };

    void loop();
    std::vector<float> process(const std::vector<float>& rows);

    cudaStream_t resident_ = nullptr;
    cudaStream_t io_ = nullptr;
    Mailbox* mail_ = nullptr;
    float* staging_ = nullptr;
    DeviceArray<float> weights_;
    DeviceArray<float> input_;
    DeviceArray<float> output_;

    std::mutex mutex_;
    std::condition_variable wake_;
    std::queue<Request> queue_;
    bool closing_ = false;
    std::thread worker_;
};
