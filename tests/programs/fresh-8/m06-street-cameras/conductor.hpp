#pragma once
#include "stage.hpp"
#include <algorithm>
#include <unordered_map>

// Runs a set of stages, one stream each; urgent stages get the better streams
// and are served first in every tick.
class Conductor {
public:
    void add(std::unique_ptr<IStage> stage)
    {
        desks_.push_back(std::make_unique<Desk>());
        desks_.back()->stage = std::move(stage);
    }

    void start()
    {
        std::stable_sort(desks_.begin(), desks_.end(), [](const auto& a, const auto& b) {
            return a->stage->urgency() > b->stage->urgency();
        });
        int least = 0, greatest = 0;
        gpu(cudaDeviceGetStreamPriorityRange(&least, &greatest));
        std::unordered_map<std::string, Desk*> byName;
        int level = greatest;
        for (auto& d : desks_) {
            gpu(cudaStreamCreateWithPriority(&d->stream, cudaStreamNonBlocking, level));
            gpu(cudaEventCreateWithFlags(&d->finished, cudaEventDisableTiming));
            byName[d->stage->name()] = d.get();
            level = std::min(level + 1, least);
        }
        for (auto& d : desks_)
            for (const auto& in : d->stage->inputs()) d->feeds.push_back(byName.at(in));
    }

    void tick(const Clip& clip, int frame)
    {
        for (auto& d : desks_) {
            for (const Desk* src : d->feeds) gpu(cudaStreamWaitEvent(d->stream, src->finished, 0));
            d->stage->enqueue(clip, frame, d->stream);
            gpu(cudaEventRecord(d->finished, d->stream));
        }
    }

    void stop()
    {
        for (auto& d : desks_) gpu(cudaStreamSynchronize(d->stream));
        for (auto& d : desks_) {
            gpu(cudaEventDestroy(d->finished));
            gpu(cudaStreamDestroy(d->stream));
        }
        desks_.clear();
    }

private:
    struct Desk {
        std::unique_ptr<IStage> stage;
        cudaStream_t stream{};
        cudaEvent_t finished{};
        std::vector<Desk*> feeds;
    };
    std::vector<std::unique_ptr<Desk>> desks_;
};
