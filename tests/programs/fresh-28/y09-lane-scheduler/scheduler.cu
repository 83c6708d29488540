#include "scheduler.h"

namespace lanes {
namespace {

__global__ void set_word(unsigned* word, unsigned value) { *word = value; }

}  // namespace

#define LANES_TRY(call)                              \
    do {                                             \
        cudaError_t e_ = (call);                     \
        if (e_ != cudaSuccess) return e_;            \
    } while (0)

Scheduler::Scheduler(const Options& options)
{
    int least = 0, greatest = 0;
    keep(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    for (int i = 0; i < options.lanes; ++i) {
        const int priority = options.urgent_first && i == 0 ? greatest : least;
        cudaStream_t s = nullptr;
        keep(cudaStreamCreateWithPriority(&s, cudaStreamDefault, priority));
        lanes_.push_back(s);
    }
    for (cudaEvent_t& e : over_) keep(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    keep(cudaMalloc(&words_, kWords * sizeof(unsigned)));
    keep(cudaMemset(words_, 0, kWords * sizeof(unsigned)));
}

Scheduler::~Scheduler()
{
    wait_all();
    cudaFree(words_);
    for (cudaEvent_t e : over_) cudaEventDestroy(e);
    for (cudaStream_t s : lanes_) cudaStreamDestroy(s);
}

cudaError_t Scheduler::submit(const std::string& tag, const Job& job, Ticket* ticket)
{
    Ticket t;
    t.serial = next_++;
    t.lane = static_cast<int>(t.serial % lanes_.size());
    const unsigned place = t.serial % kWords;
    cudaStream_t stream = lanes_[t.lane];

    tags_[place] = tag;
    LANES_TRY(cudaMemsetAsync(words_ + place, 0, sizeof(unsigned)));
    LANES_TRY(job(stream));
    set_word<<<1, 1, 0, stream>>>(words_ + place, t.serial);
    LANES_TRY(cudaGetLastError());
    LANES_TRY(cudaEventRecord(over_[place], stream));
    if (ticket) *ticket = t;
    return cudaSuccess;
}

cudaError_t Scheduler::wait(const Ticket& ticket)
{
    return cudaEventSynchronize(over_[ticket.serial % kWords]);
}

cudaError_t Scheduler::wait_all()
{
    for (cudaStream_t s : lanes_) LANES_TRY(cudaStreamSynchronize(s));
    return cudaSuccess;
}

cudaError_t Scheduler::read_word(const Ticket& ticket, unsigned* word)
{
    cudaStream_t stream = lanes_[ticket.lane];
    LANES_TRY(cudaMemcpyAsync(word, words_ + ticket.serial % kWords, sizeof(unsigned),
                              cudaMemcpyDeviceToHost, stream));
    return cudaStreamSynchronize(stream);
}

}  // namespace lanes
