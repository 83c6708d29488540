#pragma once
#include <map>
#include <mutex>
#include <utility>

// Bits spent by slice, filled in while a group of pictures is being coded.
class RateLedger {
public:
    // A consistent look at the ledger: nothing is posted during its lifetime.
    class View {
    public:
        View(std::mutex& m, const std::map<int, long>& bits) : lock_(m), bits_(bits) {}
        long total() const {
            long sum = 0;
            for (const auto& [slice, n] : bits_) sum += n;
            return sum;
        }
        std::size_t slices() const { return bits_.size(); }
        long of(int slice) const {
            auto it = bits_.find(slice);
            return it == bits_.end() ? -1 : it->second;
        }

    private:
        std::unique_lock<std::mutex> lock_;
        const std::map<int, long>& bits_;
    };

    void post(int slice, long bits) {
        std::lock_guard<std::mutex> guard(mutex_);
        bits_[slice] += bits;
    }

    void reset() {
        std::lock_guard<std::mutex> guard(mutex_);
        bits_.clear();
    }

    View view() { return View(mutex_, bits_); }

private:
    std::mutex mutex_;
    std::map<int, long> bits_;
};
