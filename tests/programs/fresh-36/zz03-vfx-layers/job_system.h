#pragma once
// Pinned-worker job system. A job waits for one counter and decrements another.
#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "platform.h"

using JobCounter = std::atomic<int>;

struct WorkerContext {
    int index;
    cudaStream_t stream;
};

struct Job {
    void (*entry)(void* data, const WorkerContext& ctx) = nullptr;
    void* data = nullptr;
    JobCounter* after = nullptr;
    JobCounter* signals = nullptr;
};

class JobSystem {
public:
    static constexpr int kWorkers = 3;
    static constexpr unsigned kRing = 64;

    JobSystem() {
        for (int w = 0; w < kWorkers; ++w) {
            Worker& worker = workers_[w];
            worker.ctx.index = w;
            GPU_CHECK(cudaStreamCreateWithFlags(&worker.ctx.stream, cudaStreamNonBlocking));
            worker.thread = std::thread([this, &worker] { loop(worker); });
        }
    }

    ~JobSystem() {
        for (Worker& w : workers_) {
            {
                std::lock_guard<std::mutex> guard(w.lock);
                w.quit = true;
            }
            w.wake.notify_one();
            w.thread.join();
            cudaStreamDestroy(w.ctx.stream);
        }
    }

    void kick(int worker, const Job& job) {
        Worker& w = workers_[worker];
        {
            std::lock_guard<std::mutex> guard(w.lock);
            w.ring[w.tail++ % kRing] = job;
        }
        w.wake.notify_one();
    }

    static void waitFor(const JobCounter& counter) {
        while (counter.load(std::memory_order_acquire) > 0) std::this_thread::yield();
    }

    void flushGpu() {
        for (Worker& w : workers_) GPU_CHECK(cudaStreamSynchronize(w.ctx.stream));
    }

private:
    struct Worker {
        WorkerContext ctx{};
        std::thread thread;
        std::mutex lock;
        std::condition_variable wake;
        Job ring[kRing];
        unsigned head = 0, tail = 0;
        bool quit = false;
    };

    void loop(Worker& w) {
        for (;;) {
            Job job;
            {
                std::unique_lock<std::mutex> guard(w.lock);
                w.wake.wait(guard, [&] { return w.quit || w.head != w.tail; });
                if (w.head == w.tail) return;
                job = w.ring[w.head++ % kRing];
            }
            if (job.after) waitFor(*job.after);
            job.entry(job.data, w.ctx);
            if (job.signals) job.signals->fetch_sub(1, std::memory_order_release);
        }
    }

    std::array<Worker, kWorkers> workers_;
};
