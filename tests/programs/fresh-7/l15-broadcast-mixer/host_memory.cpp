#include "host_memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace bcast {

void must(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}

LockedBudget& LockedBudget::instance() {
    static LockedBudget budget;
    return budget;
}

void LockedBudget::configure(std::size_t limit) {
    std::lock_guard<std::mutex> g(m_);
    limit_ = limit;
}

bool LockedBudget::charge(std::size_t bytes) {
    std::lock_guard<std::mutex> g(m_);
    if (used_ + bytes > limit_) return false;
    used_ += bytes;
    return true;
}

void LockedBudget::refund(std::size_t bytes) {
    std::lock_guard<std::mutex> g(m_);
    used_ -= bytes;
}

namespace {

class LockedMemory final : public HostMemory {
public:
    explicit LockedMemory(std::size_t bytes) : bytes_(bytes) {
        must(cudaHostAlloc(&data_, bytes, cudaHostAllocPortable));
    }
    ~LockedMemory() override {
        cudaFreeHost(data_);
        LockedBudget::instance().refund(bytes_);
    }
    void* data() override { return data_; }

private:
    std::size_t bytes_;
    void* data_ = nullptr;
};

class OrdinaryMemory final : public HostMemory {
public:
    explicit OrdinaryMemory(std::size_t bytes) : bytes_(bytes) {}
    void* data() override { return bytes_.data(); }

private:
    std::vector<unsigned char> bytes_;
};

}  // namespace

std::unique_ptr<HostMemory> obtainHostMemory(std::size_t bytes) {
    if (LockedBudget::instance().charge(bytes)) return std::make_unique<LockedMemory>(bytes);
    return std::make_unique<OrdinaryMemory>(bytes);
}

}  // namespace bcast
