#pragma once
#include "device_array.h"
#include <variant>

namespace risk {
constexpr std::size_t kGrid = 1u << 20;        // points of a curve
constexpr double kYearsPerPoint = 30.0 / kGrid;

struct Scenario {
    double level;
    double slope;
};

struct Bond {
    double coupon;
    int periods;
};
struct Swap {
    double fixed;
    int periods;
};
struct Cap {
    double strike;
    int periods;
};
using Trade = std::variant<Bond, Swap, Cap>;

class Curve {
public:
    Curve(DeviceArray<double> factors, Event built) : factors_(std::move(factors)), built_(std::move(built)) {}

    // Discount factors for work that is about to be submitted.
    Span<const double> factors(std::optional<cudaStream_t> desk = {}) const { return factors_.view(desk); }
    void holdBack(cudaStream_t desk) const { built_.holdBack(desk); }
private:
    DeviceArray<double> factors_;
    Event built_;
};

class CurveBuilder {
public:
    Curve bootstrap(const Scenario& scenario) const;
private:
    Stream stream_;
};

void priceBond(const Bond& bond, Span<const double> factors, double* value, cudaStream_t stream);
void priceSwap(const Swap& swap, Span<const double> factors, double* value, cudaStream_t stream);
void priceCap(const Cap& cap, Span<const double> factors, double* value, cudaStream_t stream);

// The formulas, shared by the kernels and the audit.
__host__ __device__ inline std::size_t gridPoint(int period) { return std::size_t(period) * (kGrid / 64); }
__host__ __device__ inline double factor(const Scenario& s, std::size_t point)
{
    const double t = double(point) * kYearsPerPoint;
    return 1.0 / (1.0 + (s.level + s.slope * t) * t);
}

template <class Factor>
__host__ __device__ double valueOf(const Bond& b, Factor df)
{
    double sum = df(gridPoint(b.periods));
    for (int p = 1; p <= b.periods; ++p) sum += b.coupon * df(gridPoint(p));
    return sum;
}
template <class Factor>
__host__ __device__ double valueOf(const Swap& s, Factor df)
{
    double sum = 1.0 - df(gridPoint(s.periods));
    for (int p = 1; p <= s.periods; ++p) sum -= s.fixed * df(gridPoint(p));
    return sum;
}
template <class Factor>
__host__ __device__ double valueOf(const Cap& c, Factor df)
{
    double sum = 0.0;
    for (int p = 1; p <= c.periods; ++p) {
        const double forward = df(gridPoint(p - 1)) / df(gridPoint(p)) - 1.0;
        if (forward > c.strike) sum += (forward - c.strike) * df(gridPoint(p));
    }
    return sum;
}
}  // namespace risk
