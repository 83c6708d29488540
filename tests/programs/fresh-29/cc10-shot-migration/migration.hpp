#pragma once
#include <functional>

#include "memory.hpp"

namespace seis {

constexpr int kSamples = 1 << 16;

struct Shot {
    int id = 0;
    Samples traces;
    Samples image;
};

// Shown by the monitor of the survey ship.
class Progress {
public:
    Progress();
    ~Progress();
    void tick();
    int value() const { return *count_; }

private:
    int *count_ = nullptr;
};

class Migrator {
public:
    explicit Migrator(int lanes);
    ~Migrator();
    Migrator(const Migrator &) = delete;

    int lanes() const { return static_cast<int>(lanes_.size()); }
    void on_queued(std::function<void(const Shot &)> f) { on_queued_ = std::move(f); }
    void migrate(Shot &shot);
    void settle();

private:
    std::vector<cudaStream_t> lanes_;
    std::size_t turn_ = 0;
    std::function<void(const Shot &)> on_queued_;
};

float reference_image(const Samples &traces, int i);

} // namespace seis
