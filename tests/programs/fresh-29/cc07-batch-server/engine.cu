#include "engine.h"

#include <algorithm>
#include <chrono>

namespace srv {

BatchEngine::BatchEngine(EngineConfig cfg) : cfg_(cfg), lanes_(cfg.lanes), slots_(cfg.slots)
{
    for (auto &s : lanes_) check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    for (auto &s : slots_) check(cudaEventCreateWithFlags(&s.finished, cudaEventDisableTiming));
    worker_ = std::thread(&BatchEngine::loop, this);
}

BatchEngine::~BatchEngine()
{
    {
        std::lock_guard<std::mutex> lock(m_);
        stop_ = true;
    }
    cv_.notify_all();
    worker_.join();
    for (auto &s : slots_) cudaEventDestroy(s.finished);
    for (auto &s : lanes_) cudaStreamDestroy(s);
}

std::future<Reply> BatchEngine::submit(const Prompt &p)
{
    Request r;
    r.prompt = p;
    auto f = r.reply.get_future();
    {
        std::lock_guard<std::mutex> lock(m_);
        queue_.push_back(std::move(r));
    }
    cv_.notify_one();
    return f;
}

void BatchEngine::loop()
{
    check(cudaSetDevice(0));
    for (;;) {
        std::vector<Request> group;
        {
            std::unique_lock<std::mutex> lock(m_);
            auto ready = [&] { return queue_.size() >= kBatch || stop_; };
            if (in_flight_.empty()) cv_.wait(lock, ready);
            else cv_.wait_for(lock, std::chrono::microseconds(200), ready);
            if (queue_.size() >= kBatch) {
                std::move(queue_.begin(), queue_.begin() + kBatch, std::back_inserter(group));
                queue_.erase(queue_.begin(), queue_.begin() + kBatch);
            } else if (stop_ && in_flight_.empty()) {
                return;
            }
        }
        if (!group.empty()) {
            if (int(in_flight_.size()) == cfg_.slots) retire(true);
            dispatch(std::move(group));
        }
        while (retire(false)) {}
    }
}

void BatchEngine::dispatch(std::vector<Request> group)
{
    const int id = int(dispatched_ % slots_.size());
    Slot &slot = slots_[id];
    cudaStream_t lane = lanes_[dispatched_ % lanes_.size()];
    ++dispatched_;

    const int n = int(group.size());
    const std::size_t bytes = std::size_t(n) * kPrompt * sizeof(unsigned);
    Workspace ws(n);
    for (int r = 0; r < n; ++r)
        std::copy(group[r].prompt.begin(), group[r].prompt.end(), slot.in.data() + r * kPrompt);

    check(cudaMemcpyAsync(slot.d_in.data(), slot.in.data(), bytes, cudaMemcpyHostToDevice, lane));
    run_model(lane, slot.d_in.data(), slot.d_out.data(), n, ws);
    check(cudaMemcpyAsync(slot.out.data(), slot.d_out.data(), bytes, cudaMemcpyDeviceToHost, lane));
    check(cudaEventRecord(slot.finished, lane));
    slot.requests = std::move(group);
    in_flight_.push_back(id);
}

// Answers the oldest batch, if it is through.
bool BatchEngine::retire(bool wait)
{
    if (in_flight_.empty()) return false;
    Slot &slot = slots_[in_flight_.front()];
    if (wait) {
        check(cudaEventSynchronize(slot.finished));
    } else {
        const cudaError_t state = cudaEventQuery(slot.finished);
        if (state == cudaErrorNotReady) {
            (void)cudaGetLastError();
            return false;
        }
        check(state);
    }
    for (std::size_t r = 0; r < slot.requests.size(); ++r) {
        Reply rep;
        std::copy_n(slot.out.data() + r * kPrompt, kPrompt, rep.begin());
        slot.requests[r].reply.set_value(rep);
    }
    slot.requests.clear();
    in_flight_.pop_front();
    return true;
}

} // namespace srv
