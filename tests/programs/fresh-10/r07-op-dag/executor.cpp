#include "dag.h"

namespace dag {

void Executor::add(std::unique_ptr<Operator> op) {
    cudaStream_t stream = nullptr;
    verify(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    streams_.push_back(stream);
    ops_.push_back(std::move(op));
}

void Executor::run(int step) {
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        for (const TensorPtr& in : ops_[i]->inputs()) verify(cudaStreamWaitEvent(streams_[i], in->ready, 0));
        ops_[i]->enqueue(streams_[i], step);
        verify(cudaEventRecord(ops_[i]->output()->ready, streams_[i]));
    }
    for (cudaStream_t stream : streams_) verify(cudaStreamSynchronize(stream));
}

Executor::~Executor() {
    cudaDeviceSynchronize();
    ops_.clear();
    for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
}

}  // namespace dag
