#pragma once

#include "memory.h"

#include <optional>
#include <vector>

namespace desk {

struct Option {
    float spot;
    float strike;
};

struct DeskConfig {
    int lanes = 4;
    int optionsPerBook = 1 << 16;
    int blocks = 8;
    int threads = 256;
    long long settleNanoseconds = 30000000;
};

struct Traits {
    using Quotes = Block<Option, PinnedSource>;
    using Values = Block<float, HeapSource>;
    template <typename T>
    using OnDevice = Block<T, DeviceSource>;
};

struct Valuation {
    int book;
    double total;
};

// A stream with its own memory; values one book at a time.
class Lane {
public:
    explicit Lane(const DeskConfig& config);
    ~Lane();
    Lane(Lane&& other) noexcept;
    Lane& operator=(Lane&&) = delete;

    bool busy() const { return book_.has_value(); }
    void submit(int book);
    Valuation collect();

private:
    DeskConfig config_;
    cudaStream_t stream_ = nullptr;
    Traits::Quotes quotes_;
    Traits::Values values_;
    Traits::OnDevice<Option> deviceQuotes_;
    Traits::OnDevice<float> deviceValues_;
    std::optional<int> book_;
};

class Desk {
public:
    explicit Desk(const DeskConfig& config);
    // Values books first to first+count-1, the lanes take turns.
    std::vector<Valuation> value(int first, int count);
    int lanes() const { return static_cast<int>(lanes_.size()); }

private:
    std::vector<Lane> lanes_;
};

Option quote(int book, int index);
float intrinsic(const Option& option);

}  // namespace desk
