#pragma once
#include <condition_variable>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <vector>

[[noreturn]] inline void give_up(cudaError_t rc)
{
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}
inline void ck(cudaError_t rc) { if (rc != cudaSuccess) give_up(rc); }

// A few pinned slabs handed round between the parser and the copies.
class slab_pool {
public:
    slab_pool(int n, size_t bytes)
    {
        for (int i = 0; i < n; ++i) {
            char* p = nullptr;
            ck(cudaHostAlloc(reinterpret_cast<void**>(&p), bytes, cudaHostAllocDefault));
            all_.push_back(p);
        }
        free_ = all_;
    }
    ~slab_pool() { for (char* p : all_) cudaFreeHost(p); }

    char* get()
    {
        std::unique_lock<std::mutex> l(m_);
        cv_.wait(l, [&] { return !free_.empty(); });
        char* p = free_.back();
        free_.pop_back();
        return p;
    }
    void put(char* p)
    {
        { std::lock_guard<std::mutex> l(m_); free_.push_back(p); }
        cv_.notify_one();
    }

private:
    std::mutex m_;
    std::condition_variable cv_;
    std::vector<char*> all_, free_;
};

// Runs an arbitrary closure when the stream gets there.
inline void then(cudaStream_t s, std::function<void()> fn)
{
    auto* boxed = new std::function<void()>(std::move(fn));
    ck(cudaLaunchHostFunc(s, [](void* u) {
        auto* f = static_cast<std::function<void()>*>(u);
        (*f)();
        delete f;
    }, boxed));
}
