#pragma once

#include <vector>

#include "wx/buffers.h"

namespace wx {

struct GridConfig {
    int nx = 512;
    int ny = 192;
    int steps = 16;
    long long dynamics_ns = 15'000'000;
    long long encode_ns = 15'000'000;
    int cells() const { return nx * ny; }
};

// Fixed-point temperature field on a doubly periodic grid.
class Grid {
public:
    explicit Grid(const GridConfig& c);

    void reset(Stream& s);
    void advance(int step, Stream& s);
    // Leaves the current field untouched by later steps in `target`.
    void snapshot(int32_t* target, Stream& s);

    static std::vector<int32_t> initial(const GridConfig& c);
    static void advance_on_host(const GridConfig& c, std::vector<int32_t>& field, int step);

private:
    GridConfig c_;
    std::vector<int32_t> start_;
    DeviceField<int32_t> a_;
    DeviceField<int32_t> b_;
    int32_t* now_;
    int32_t* next_;
};

// Predictor coding of a snapshot in rows.
void encode(const GridConfig& c, const int32_t* field, int32_t* coded, Stream& s);

}  // namespace wx
