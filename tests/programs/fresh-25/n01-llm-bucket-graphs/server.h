#pragma once
#include "bucket_plan.h"
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace llm {

struct Response {
    int bucket = 0;
    std::vector<float> logits;
};

struct Request {
    int rows = 0;
    std::vector<float> activations;
    std::promise<Response> reply;
};

// Single executor thread in front of the plan cache.
class Server {
public:
    Server(const ModelConfig& config, PlanCache& plans, cudaStream_t stream)
        : config_(config), plans_(plans), stream_(stream), worker_([this] { loop(); }) {}

    ~Server() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            closing_ = true;
        }
        wake_.notify_one();
        worker_.join();
    }

    std::future<Response> submit(int rows, std::vector<float> activations) {
        Request request;
        request.rows = rows;
        request.activations = std::move(activations);
        auto future = request.reply.get_future();
        {
            std::lock_guard<std::mutex> lock(mutex_);
            queue_.push_back(std::move(request));
        }
        wake_.notify_one();
        return future;
    }

private:
    void loop() {
        for (;;) {
            std::unique_lock<std::mutex> lock(mutex_);
            wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
            if (queue_.empty()) return;
            Request request = std::move(queue_.front());
            queue_.pop_front();
            lock.unlock();
            try {
                request.reply.set_value(execute(request));
            } catch (...) {
                request.reply.set_exception(std::current_exception());
            }
        }
    }

    Response execute(const Request& request) {
        BucketPlan& plan = plans_.select(request.rows);
        const std::size_t used = request.activations.size();
        const std::size_t cells = static_cast<std::size_t>(plan.bucket) * config_.hidden;
        std::copy(request.activations.begin(), request.activations.end(), plan.input.get());
        std::fill(plan.input.get() + used, plan.input.get() + cells, 0.0f);
        check(cudaGraphLaunch(plan.exec, stream_));
        check(cudaStreamSynchronize(stream_));
        Response response;
        response.bucket = plan.bucket;
        response.logits.assign(plan.output.get(), plan.output.get() + used);
        return response;
    }

    ModelConfig config_;
    PlanCache& plans_;
    cudaStream_t stream_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Request> queue_;
    bool closing_ = false;
    std::thread worker_;
};

}  // namespace llm
