#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "llm/graph_runner.h"

namespace llm {

struct Request {
    int id = 0;
    std::vector<int32_t> prompt;
    int new_tokens = 0;
    std::vector<int32_t> produced;
};

// Continuous batching: requests take a free cache slot, leave it when they are complete.
class Scheduler {
public:
    Scheduler(GraphRunner& runner, int slots) : runner_(runner), active_(slots) {}

    void submit(Request r) { waiting_.push_back(std::move(r)); }

    bool tick() {
        admit();
        std::vector<Row> rows;
        std::vector<int> owner;
        for (int s = 0; s < static_cast<int>(active_.size()); ++s) {
            if (!active_[s]) continue;
            rows.push_back({active_[s]->next, active_[s]->position, s});
            owner.push_back(s);
        }
        if (rows.empty()) return false;
        const std::vector<int32_t> next = runner_.step(rows);
        for (std::size_t i = 0; i < owner.size(); ++i) advance(owner[i], next[i]);
        return true;
    }

    const std::vector<Request>& finished() const { return finished_; }

private:
    struct Running {
        Request request;
        int32_t next = 0;
        int position = 0;
    };

    void admit() {
        for (auto& slot : active_) {
            if (slot || waiting_.empty()) continue;
            Running r;
            r.request = std::move(waiting_.front());
            waiting_.pop_front();
            r.next = r.request.prompt.front();
            slot = std::move(r);
        }
    }

    void advance(int slot, int32_t token) {
        Running& r = *active_[slot];
        ++r.position;
        if (r.position < static_cast<int>(r.request.prompt.size())) {
            r.next = r.request.prompt[r.position];
            return;
        }
        r.request.produced.push_back(token);
        r.next = token;
        if (static_cast<int>(r.request.produced.size()) == r.request.new_tokens) {
            finished_.push_back(std::move(r.request));
            active_[slot].reset();
        }
    }

    GraphRunner& runner_;
    std::vector<std::optional<Running>> active_;
    std::deque<Request> waiting_;
    std::vector<Request> finished_;
};

}  // namespace llm
