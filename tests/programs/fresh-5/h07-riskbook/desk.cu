#include "desk.hpp"

#include <atomic>
#include <thread>

namespace {

__global__ void valuer(Mailbox* box)
{
    __shared__ unsigned ticket;
    __shared__ int leave;
    __shared__ unsigned long long total;
    unsigned seen = 0;

    for (;;) {
        if (threadIdx.x == 0) {
            total = 0;
            leave = 0;
            while ((ticket = box->request) == seen) {
                if (box->closing) {
                    leave = 1;
                    break;
                }
                __nanosleep(500);
            }
            __threadfence_system();
        }
        __syncthreads();
        if (leave) return;

        const int* positions = box->positions;
        const int count = box->count;
        const int price = box->price;
        unsigned long long mine = 0;
        for (int i = threadIdx.x; i < count; i += blockDim.x)
            mine += static_cast<unsigned long long>(positions[i]) * price;
        atomicAdd(&total, mine);
        __syncthreads();

        if (threadIdx.x == 0) {
            box->exposure = static_cast<long long>(total);
            __threadfence_system();
            box->reply = ticket;
        }
        seen = ticket;
        __syncthreads();
    }
}

}  // namespace

RiskDesk::RiskDesk() : box_(gpu::make_shared_page<Mailbox>()) {}

RiskDesk::~RiskDesk()
{
    if (running_) stop();
}

void RiskDesk::open(const std::string& name, const std::vector<int>& positions, int expiry)
{
    Book book{gpu::make_device<int>(positions.size()), static_cast<int>(positions.size()), expiry};
    gpu::ok(cudaMemcpy(book.positions.get(), positions.data(), positions.size() * sizeof(int), cudaMemcpyHostToDevice));
    books_.insert_or_assign(name, std::move(book));
}

void RiskDesk::start()
{
    valuer<<<1, 512, 0, stream_>>>(box_.get());
    gpu::ok(cudaGetLastError());
    running_ = true;
}

void RiskDesk::stop()
{
    box_->closing = 1;
    stream_.drain();
    running_ = false;
    archive_.clear();
}

std::optional<long long> RiskDesk::value(const std::string& name, int price)
{
    const auto it = books_.find(name);
    if (it == books_.end()) return std::nullopt;

    box_->positions = it->second.positions.get();
    box_->count = it->second.count;
    box_->price = price;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    box_->request = ++sequence_;
    while (box_->reply != sequence_) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return box_->exposure;
}

std::size_t RiskDesk::expire(int day)
{
    std::size_t removed = 0;
    for (auto it = books_.begin(); it != books_.end();) {
        if (it->second.expiry <= day) {
            archive_.push_back(books_.extract(it++));
            ++removed;
        } else {
            ++it;
        }
    }
    return removed;
}
