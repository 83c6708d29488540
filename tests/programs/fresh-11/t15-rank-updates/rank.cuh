#pragma once
#include <cstdint>
#include <vector>
#include "graph_handle.h"

using Rank = unsigned long long;  // fixed point

struct Edge {
    uint32_t from, to;
};

struct Iteration {
    Rank base;
    uint32_t weight;  // of 128
    uint32_t edges, vertices;
};

__host__ __device__ inline Rank share(Rank r, uint32_t weight) { return r * weight / 128; }

// Link analysis with a base value and weight that change from iteration to iteration.
class Ranker {
public:
    Ranker(const std::vector<Edge>& edges, uint32_t vertices, int max_iterations);
    ~Ranker();
    Ranker(const Ranker&) = delete;
    Ranker& operator=(const Ranker&) = delete;

    void iterate(Rank base, uint32_t weight);
    // Ranks after the last iteration; mass[i] is the sum of ranks that iteration i started from.
    std::vector<Rank> finish(std::vector<Rank>& mass);

private:
    void enqueue(const Iteration& p);

    uint32_t edge_count_, vertices_;
    int done_ = 0;
    Edge* edges_ = nullptr;
    Rank* ranks_[2] = {nullptr, nullptr};
    Rank *mass_ = nullptr, *host_mass_ = nullptr;
    Stream stream_ = make_stream(), side_ = make_stream();
    Event fork_ = make_event(), join_ = make_event();
    Replay replay_;
};
