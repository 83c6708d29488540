#pragma once
#include <cuda_runtime.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "wire.h"

namespace venue {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void ok(cudaError_t e) {
    if (e != cudaSuccess) throw CudaError(e);
}

// Every translation unit with device code lists its kernels here, together
// with a call that has nothing to do.
class KernelTable {
public:
    using Entry = std::function<void(cudaStream_t)>;

    static KernelTable& get() {
        static KernelTable table;
        return table;
    }

    bool list(std::string name, Entry entry) {
        rows_.emplace_back(std::move(name), std::move(entry));
        return true;
    }

    void bring_up(cudaStream_t stream) const {
        for (const auto& row : rows_) {
            row.second(stream);
            ok(cudaGetLastError());
        }
        ok(cudaStreamSynchronize(stream));
    }

private:
    KernelTable() = default;
    std::vector<std::pair<std::string, Entry>> rows_;
};

class Stream {
public:
    Stream() { ok(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
    ~Stream() {
        if (s_) {
            cudaStreamSynchronize(s_);
            cudaStreamDestroy(s_);
        }
    }
    Stream(Stream&& o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return s_; }

private:
    cudaStream_t s_ = nullptr;
};

// Memory of the venue, for the whole day.
class Floor {
public:
    Floor();
    ~Floor();
    Floor(const Floor&) = delete;
    Floor& operator=(const Floor&) = delete;

    Mailbox* box() const { return box_; }
    Book* book() const { return book_; }
    Book read_book() const;

private:
    Mailbox* box_ = nullptr;
    Book* book_ = nullptr;
};

// Hangs the "closed" sign on the mailbox when the trading day is over.
class ClosingBell {
public:
    explicit ClosingBell(Mailbox* box) : box_(box) {}
    ~ClosingBell() { __atomic_store_n(&box_->closed, 1u, __ATOMIC_SEQ_CST); }
    ClosingBell(const ClosingBell&) = delete;
    ClosingBell& operator=(const ClosingBell&) = delete;

private:
    Mailbox* box_;
};

// One trading day: the matcher lives on the device from construction to
// destruction.
class Session {
public:
    Session(Floor& floor, Stream lane);

    bool submit(const std::vector<Order>& orders);
    uint32_t submitted() const { return next_; }
    uint32_t matched() const;

private:
    Floor& floor_;
    Stream lane_;
    ClosingBell bell_;
    uint32_t next_ = 0;
};

// Looks at the book while the market is open.
class RiskDesk {
public:
    explicit RiskDesk(const Book* book);
    ~RiskDesk();
    RiskDesk(const RiskDesk&) = delete;
    RiskDesk& operator=(const RiskDesk&) = delete;

    RiskReport look();

private:
    const Book* book_;
    RiskReport* device_ = nullptr;
    RiskReport* host_ = nullptr;
    Stream stream_;
    unsigned long long stamp_ = 0;
};

}  // namespace venue
