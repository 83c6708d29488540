#pragma once
#include <vector>

#include "cuda_handles.h"

namespace desk {

constexpr int kInstruments = 512;
constexpr int kBurst = 64;

struct Fill {
    int instrument;
    int quantity;
    int price;
};

struct Position {
    long long quantity;
    long long notional;
};

// Shared by the host and the resident kernel.
struct Mailbox {
    Fill fills[kBurst];
    int count;
    unsigned posted;
    unsigned applied;
    unsigned closing;
};

// Keeps the positions on the device and applies fills with the latency of a
// poll: the kernel stays for the whole session.
class PositionEngine {
public:
    PositionEngine();
    ~PositionEngine();
    PositionEngine(const PositionEngine &) = delete;

    void open();
    void apply(const std::vector<Fill> &fills);
    void close();

    const Position *device_positions() const { return d_positions_; }

private:
    Stream session_;
    Mailbox *box_ = nullptr;
    Position *d_positions_ = nullptr;
    unsigned posted_ = 0;
    bool open_ = false;
};

} // namespace desk
