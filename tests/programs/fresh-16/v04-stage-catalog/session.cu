#include "session.h"

namespace feed {

namespace {

__global__ void sequencer(doorbell* bell, unsigned* sequence)
{
    unsigned seen = 0;
    for (;;) {
        const unsigned closing = bell->closing;
        __threadfence_system();
        const unsigned head = bell->head;
        if (head != seen) {
            seen = head;
            *sequence = seen;
            __threadfence_system();
            bell->acked = seen;
        } else if (closing) {
            break;
        }
        __nanosleep(500);
    }
}

}  // namespace

session::session(std::vector<std::string> chain, int max_ticks) : max_ticks_(max_ticks)
{
    for (const std::string& key : chain)
        chain_.push_back(stage_registry::instance().create(key));

    require(cudaStreamCreateWithFlags(&sequencer_, cudaStreamNonBlocking));
    require(cudaStreamCreateWithFlags(&work_, cudaStreamNonBlocking));
    require(cudaMalloc(&batch_.price, max_ticks_ * sizeof(float)));
    require(cudaMalloc(&batch_.out, max_ticks_ * sizeof(float)));
    require(cudaMalloc(&sequence_, sizeof(unsigned)));
    require(cudaMemset(sequence_, 0, sizeof(unsigned)));
    require(cudaHostAlloc(&bell_, sizeof(doorbell), cudaHostAllocMapped));
    require(cudaHostGetDevicePointer(&bell_dev_, bell_, 0));
    bell_->head = bell_->closing = bell_->acked = 0;
    require(cudaDeviceSynchronize());
}

session::~session()
{
    cudaFree(sequence_);
    cudaFree(batch_.out);
    cudaFree(batch_.price);
    cudaFreeHost(bell_);
    cudaStreamDestroy(work_);
    cudaStreamDestroy(sequencer_);
}

void session::dry_run()
{
    batch_.count = 0;
    for (auto& s : chain_) require(s->enqueue(batch_, work_));
    require(cudaStreamSynchronize(work_));
}

void session::open()
{
    dry_run();
    sequencer<<<1, 1, 0, sequencer_>>>(bell_dev_, sequence_);
    require(cudaGetLastError());
}

void session::process(const float* pinned_in, float* pinned_out, int count)
{
    batch_.count = count;
    const std::size_t bytes = count * sizeof(float);
    require(cudaMemcpyAsync(batch_.price, pinned_in, bytes, cudaMemcpyHostToDevice, work_));
    for (auto& s : chain_) require(s->enqueue(batch_, work_));
    require(cudaMemcpyAsync(pinned_out, batch_.out, bytes, cudaMemcpyDeviceToHost, work_));
    require(cudaStreamSynchronize(work_));

    const unsigned ticket = bell_->head + 1;
    bell_->head = ticket;
    while (bell_->acked != ticket) {
    }
}

unsigned session::close()
{
    bell_->closing = 1;
    require(cudaStreamSynchronize(sequencer_));
    unsigned last = 0;
    require(cudaMemcpy(&last, sequence_, sizeof last, cudaMemcpyDeviceToHost));
    return last;
}

}  // namespace feed
