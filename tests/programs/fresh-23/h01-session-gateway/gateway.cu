#include "gateway.h"

#include <atomic>

namespace gw {
namespace {

// Resident matching engine: one block that serves the mailbox until it is halted.
__global__ void matchingEngine(Mailbox* box, int levels, int window) {
    __shared__ int command, level, quantity;
    __shared__ long long* ladder;
    __shared__ unsigned long long exposure;
    unsigned served = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            while (box->request == served) __nanosleep(200);
            served = box->request;
            __threadfence_system();
            command = box->command;
            level = box->level;
            quantity = box->quantity;
            ladder = box->ladder;
            exposure = 0;
        }
        __syncthreads();
        if (command == static_cast<int>(Command::Halt)) {
            if (threadIdx.x == 0) box->reply = served;
            return;
        }
        if (threadIdx.x == 0) ladder[level] += quantity;
        __syncthreads();
        const int first = max(0, level - window / 2);
        const int last = min(levels, first + window);
        long long part = 0;
        for (int i = first + threadIdx.x; i < last; i += blockDim.x) part += ladder[i];
        atomicAdd(&exposure, static_cast<unsigned long long>(part));
        __syncthreads();
        if (threadIdx.x == 0) {
            box->exposure = static_cast<long long>(exposure);
            __threadfence_system();
            box->reply = served;
        }
        __syncthreads();
    }
}

}  // namespace

Gateway::Gateway(GatewayConfig config) : config_(config) {
    check(cudaStreamCreateWithFlags(&engine_, cudaStreamNonBlocking));
    check(cudaHostAlloc(reinterpret_cast<void**>(&mailbox_), sizeof(Mailbox), cudaHostAllocMapped));
    mailbox_->request = 0;
    mailbox_->reply = 0;
}

Gateway::~Gateway() {
    if (worker_.joinable()) close();
    sessions_.clear();
    cudaFreeHost(mailbox_);
    cudaStreamDestroy(engine_);
}

void Gateway::logon(int session) {
    Session& entry = sessions_.emplace(session, config_.levels).first->second;
    check(cudaMemset(entry.ladder.get(), 0, entry.ladder.bytes()));
}

void Gateway::open() {
    check(cudaDeviceSynchronize());
    matchingEngine<<<1, config_.threads, 0, engine_>>>(mailbox_, config_.levels, config_.window);
    check(cudaGetLastError());
    worker_ = std::thread(&Gateway::run, this);
}

void Gateway::post(Event event) {
    {
        std::lock_guard<std::mutex> hold(mutex_);
        inbox_.push_back(std::move(event));
    }
    arrived_.notify_one();
}

std::vector<Statement> Gateway::close() {
    post(Shutdown{});
    worker_.join();
    check(cudaStreamSynchronize(engine_));
    return statements_;
}

std::optional<Event> Gateway::take() {
    std::unique_lock<std::mutex> hold(mutex_);
    arrived_.wait(hold, [this] { return !inbox_.empty(); });
    Event event = std::move(inbox_.front());
    inbox_.pop_front();
    if (std::holds_alternative<Shutdown>(event)) return std::nullopt;
    return event;
}

void Gateway::run() {
    while (auto event = take()) {
        if (const auto* order = std::get_if<Order>(&*event)) handle(*order);
        if (const auto* logoff = std::get_if<Logoff>(&*event)) handle(*logoff);
    }
    transact(Command::Halt, nullptr, 0, 0);
}

void Gateway::handle(const Order& order) {
    auto found = sessions_.find(order.session);
    if (found == sessions_.end()) return;
    Session& session = found->second;
    session.exposure = transact(Command::Apply, session.ladder.get(), order.level, order.quantity);
}

void Gateway::handle(const Logoff& logoff) {
    auto found = sessions_.find(logoff.session);
    if (found == sessions_.end()) return;
    const Session& session = found->second;
    statements_.push_back({logoff.session, session.exposure});
    sessions_.erase(found);
}

long long Gateway::transact(Command command, long long* ladder, int level, int quantity) {
    mailbox_->command = static_cast<int>(command);
    mailbox_->level = level;
    mailbox_->quantity = quantity;
    mailbox_->ladder = ladder;
    std::atomic_thread_fence(std::memory_order_release);
    mailbox_->request = ++sequence_;
    while (mailbox_->reply != sequence_) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_acquire);
    return mailbox_->exposure;
}

}  // namespace gw
