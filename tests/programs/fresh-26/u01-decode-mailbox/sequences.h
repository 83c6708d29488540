#pragma once
#include "engine.h"

#include <memory>
#include <unordered_map>

constexpr int kMaxContext = 8192;

struct PageDeleter {
    void operator()(float* p) const { cudaFree(p); }
};
using Page = std::unique_ptr<float, PageDeleter>;

inline Page make_page()
{
    void* p = nullptr;
    expect_ok(cudaMalloc(&p, sizeof(float) * kHeadDim * kMaxContext));
    return Page(static_cast<float*>(p));
}

struct Sequence {
    int prompt_seed = 0;
    int length = 0;
    Page kv;
};

// All the conversations that the server has admitted, by id.
class SequenceTable {
public:
    void admit(int id, int seed)
    {
        Sequence s;
        s.prompt_seed = seed;
        s.kv = make_page();
        live_.emplace(id, std::move(s));
    }

    Sequence& at(int id) { return live_.at(id); }
    void retire(int id) { live_.erase(id); }
    std::size_t size() const { return live_.size(); }

private:
    std::unordered_map<int, Sequence> live_;
};
