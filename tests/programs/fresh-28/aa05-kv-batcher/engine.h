#pragma once
#include <deque>
#include <map>
#include <vector>

#include "kv_store.cuh"

namespace serve {

struct Request {
    int id = 0;
    uint32_t prompt = 0;
    int tokens = 0;   // a multiple of the quantum
};

struct Completion {
    int id = 0;
    uint32_t last = 0;
};

// Continuous batching: a decode step is a replayed graph, one per batch size.
// Sequences join and leave only between quanta.
class Engine {
public:
    Engine(int max_batch, int context);
    ~Engine();

    void submit(const Request& request) { waiting_.push_back(request); }
    std::vector<Completion> run();

    static constexpr int kQuantum = 4;

private:
    struct Running {
        Request request;
        int left = 0;
    };
    cudaGraphExec_t step_graph(int batch);
    cudaGraph_t record_step(int batch);
    void admit();
    void retire(std::vector<Completion>& out);

    KvStore store_;
    cudaStream_t stream_ = nullptr;
    std::map<int, cudaGraphExec_t> graphs_;
    std::deque<Request> waiting_;
    std::vector<Running> running_;
    PinnedPtr<uint32_t> tokens_;
};

}  // namespace serve
