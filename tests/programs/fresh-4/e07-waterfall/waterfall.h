#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace radio {

struct WaterfallConfig {
    int dwells = 6;
    int samples_per_dwell = 1 << 16;
    unsigned dwell_ms = 40;
};

// Time/frequency display model: one histogram row for each dwell.
class Waterfall {
public:
    virtual ~Waterfall() = default;
    virtual void ingest(const std::vector<std::uint16_t>& dwell) = 0;
    virtual void flush() = 0;
    virtual const std::uint32_t* row(int index) const = 0;
    virtual int bins() const = 0;

    static std::unique_ptr<Waterfall> create(const WaterfallConfig& config);
};

}  // namespace radio
