#include "executor.h"

namespace solver {

Executor::Executor(unsigned workers) : workers_(workers) {
    SOLVER_OK(cudaStreamCreateWithFlags(&control_, cudaStreamNonBlocking));
    SOLVER_OK(cudaEventCreateWithFlags(&phase_, cudaEventDisableTiming));
    for (Worker& w : workers_) {
        SOLVER_OK(cudaStreamCreateWithFlags(&w.stream, cudaStreamNonBlocking));
        SOLVER_OK(cudaEventCreateWithFlags(&w.done, cudaEventDisableTiming));
    }
}

Executor::~Executor() {
    drain();
    for (Worker& w : workers_) {
        cudaEventDestroy(w.done);
        cudaStreamDestroy(w.stream);
    }
    cudaEventDestroy(phase_);
    cudaStreamDestroy(control_);
}

void Executor::begin_phase() {
    SOLVER_OK(cudaEventRecord(phase_, control_));
    for (Worker& w : workers_) {
        SOLVER_OK(cudaStreamWaitEvent(w.stream, phase_, 0));
        w.used = false;
    }
}

void Executor::submit(const Task& task) {
    Worker& w = workers_[next_];
    next_ = (next_ + 1) % workers_.size();
    w.used = true;
    task(w.stream);
}

void Executor::end_phase() {
    for (Worker& w : workers_) {
        if (!w.used) continue;
        SOLVER_OK(cudaEventRecord(w.done, w.stream));
        SOLVER_OK(cudaStreamWaitEvent(control_, w.done, 0));
    }
    next_ = 0;
}

void Executor::drain() {
    for (Worker& w : workers_) SOLVER_OK(cudaEventSynchronize(w.done));
    SOLVER_OK(cudaStreamSynchronize(control_));
}
}  // namespace solver
