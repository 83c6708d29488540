#pragma once
#include <array>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "model.cuh"

namespace srv {

using Prompt = std::array<unsigned, kPrompt>;
using Reply = std::array<unsigned, kPrompt>;

struct Request {
    Prompt prompt;
    std::promise<Reply> reply;
};

struct EngineConfig {
    int lanes = 3;
    int slots = 6;
};

class BatchEngine {
public:
    explicit BatchEngine(EngineConfig cfg);
    ~BatchEngine();
    std::future<Reply> submit(const Prompt &p);
    int lanes() const { return cfg_.lanes; }

private:
    struct Slot {
        PinnedArray<unsigned> in{kBatch * kPrompt}, out{kBatch * kPrompt};
        DeviceArray<unsigned> d_in{kBatch * kPrompt}, d_out{kBatch * kPrompt};
        cudaEvent_t finished{};
        std::vector<Request> requests;
    };

    void loop();
    void dispatch(std::vector<Request> group);
    bool retire(bool wait);

    EngineConfig cfg_;
    std::vector<cudaStream_t> lanes_;
    std::vector<Slot> slots_;
    std::deque<int> in_flight_;
    unsigned long dispatched_ = 0;

    std::mutex m_;
    std::condition_variable cv_;
    std::deque<Request> queue_;
    bool stop_ = false;
    std::thread worker_;
};

} // namespace srv
