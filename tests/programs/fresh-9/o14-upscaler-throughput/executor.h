#pragma once
#include <cuda_runtime.h>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sr {

inline void verify(cudaError_t e) {
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

// What a task sees of the thread that runs it.
class WorkerContext {
public:
    WorkerContext() { verify(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    ~WorkerContext() { verify(cudaStreamDestroy(stream_)); }
    WorkerContext(const WorkerContext&) = delete;
    cudaStream_t stream() const { return stream_; }
    void flush() const { verify(cudaStreamSynchronize(stream_)); }

private:
    cudaStream_t stream_ = nullptr;
};

class Executor {
public:
    using Task = std::function<int(WorkerContext&)>;

    explicit Executor(int workers);
    ~Executor();
    std::future<int> submit(Task t);
    void flushAll() const;

private:
    void loop(WorkerContext& ctx);

    std::mutex m_;
    std::condition_variable cv_;
    std::deque<std::packaged_task<int(WorkerContext&)>> queue_;
    bool closing_ = false;
    std::vector<std::unique_ptr<WorkerContext>> contexts_;
    std::vector<std::thread> threads_;
};

}  // namespace sr
