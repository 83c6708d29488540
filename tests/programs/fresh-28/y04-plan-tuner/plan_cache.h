#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>
#include "plan.h"

namespace refl {

struct Candidate {
    int threads;
    int pace_us;
};

// Finds the quickest plan for a key once and keeps it.
template <class Key = PlanKey>
class PlanCache {
public:
    struct Entry {
        std::shared_ptr<Plan> plan;
        double ms;  // steady state, of one transform
    };

    explicit PlanCache(std::vector<Candidate> candidates) : candidates_(std::move(candidates)) {}

    const Entry& get(const Key& key, const int* in, int* out, cudaStream_t stream)
    {
        std::lock_guard<std::mutex> hold(mutex_);
        auto found = entries_.find(key);
        if (found != entries_.end()) return found->second;
        Entry best{nullptr, 0};
        for (const Candidate& c : candidates_) {
            auto plan = std::make_shared<Plan>(key, c.threads, c.pace_us);
            double ms = plan->measure(in, out, stream, 4);
            if (!best.plan || ms < best.ms) best = Entry{std::move(plan), ms};
        }
        return entries_.emplace(key, std::move(best)).first->second;
    }

private:
    std::vector<Candidate> candidates_;
    std::mutex mutex_;
    std::map<Key, Entry> entries_;
};

}  // namespace refl
