#pragma once
#include <optional>
#include <vector>

#include "device.h"

namespace radio {

struct ArrayConfig {
    int antennas = 32;
    int channels = 64;
    unsigned long long integration_ns = 12'000'000ull;
    unsigned long long calibration_ns = 150'000'000ull;
};

// Device tables derived from the array layout.
class CorrelationPlan {
public:
    explicit CorrelationPlan(const ArrayConfig& config);
    CorrelationPlan(CorrelationPlan&&) = delete;
    ~CorrelationPlan();

    const int* delays() const { return delays_; }

private:
    int* delays_ = nullptr;
};

class Correlator {
public:
    explicit Correlator(const ArrayConfig& config);
    ~Correlator();
    Correlator(const Correlator&) = delete;
    Correlator& operator=(const Correlator&) = delete;

    void integrate(int integration);
    std::vector<int> visibilities() const;
    void clear();

private:
    const CorrelationPlan& plan();
    std::size_t cells() const {
        return static_cast<std::size_t>(config_.antennas) * config_.channels;
    }

    ArrayConfig config_;
    std::optional<CorrelationPlan> plan_;
    int* visibilities_ = nullptr;
};

}  // namespace radio
