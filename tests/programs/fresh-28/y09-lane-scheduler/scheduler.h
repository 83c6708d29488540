#pragma once
#include <cuda_runtime.h>
#include <array>
#include <functional>
#include <string>
#include <vector>

namespace lanes {

// What a job does: it enqueues its device work in the stream that it is given
// and returns at once.
using Job = std::function<cudaError_t(cudaStream_t)>;

struct Ticket {
    unsigned serial = 0;
    int lane = -1;
};

struct Options {
    int lanes = 4;
    bool urgent_first = false;  // lane 0 gets the highest priority
};

// Spreads jobs over lanes.  Jobs of one lane run one after the other, jobs of
// different lanes side by side.  Each job has a status word on the device that
// holds its serial number once the job is over; there are kWords words, which
// are used in turn.
class Scheduler {
public:
    static constexpr unsigned kWords = 64;

    explicit Scheduler(const Options& options);
    ~Scheduler();
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    cudaError_t status() const { return status_; }
    cudaError_t submit(const std::string& tag, const Job& job, Ticket* ticket);
    cudaError_t wait(const Ticket& ticket);
    cudaError_t wait_all();
    // The status word as it is after everything the lane has got so far.
    cudaError_t read_word(const Ticket& ticket, unsigned* word);
    const std::string& tag(const Ticket& ticket) const { return tags_[ticket.serial % kWords]; }

private:
    void keep(cudaError_t e)
    {
        if (status_ == cudaSuccess) status_ = e;
    }

    std::vector<cudaStream_t> lanes_;
    std::array<std::string, kWords> tags_;
    std::array<cudaEvent_t, kWords> over_{};
    unsigned* words_ = nullptr;
    unsigned next_ = 1;
    cudaError_t status_ = cudaSuccess;
};

}  // namespace lanes
