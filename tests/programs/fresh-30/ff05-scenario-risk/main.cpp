// Revalues a small book under shifted curves, each desk on its own stream, and audits the
// values on the CPU.
#include "instruments.h"
#include <cmath>
#include <cstdint>
#include <cstdio>

using namespace risk;

namespace {
template <class... Ts>
struct overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
overloaded(Ts...) -> overloaded<Ts...>;

struct Desk {
    Stream stream;
    Span<const double> open(const Curve& curve) const
    {
        curve.holdBack(stream);
        return curve.factors(stream);
    }
};

// Caplets see the curve as simply compounded forwards; the quotient is taken by the pricer.
Span<const double> forwardsOf(const Curve& curve, const Stream& stream)
{
    curve.holdBack(stream);
    return curve.factors();
}

class Book {
public:
    Book(std::vector<Trade> trades, std::size_t scenarios) : trades_(std::move(trades))
    {
        ensure(cudaMalloc(&values_, sizeof(double) * trades_.size() * scenarios));
    }
    ~Book() { cudaFree(values_); }

    void revalue(const Curve& curve, std::size_t scenario)
    {
        double* value = values_ + scenario * trades_.size();
        for (const Trade& trade : trades_) {
            std::visit(overloaded{
                           [&](const Bond& t) { priceBond(t, credit_.open(curve), value, credit_.stream); },
                           [&](const Swap& t) { priceSwap(t, rates_.open(curve), value, rates_.stream); },
                           [&](const Cap& t) { priceCap(t, forwardsOf(curve, exotics_.stream), value, exotics_.stream); },
                       },
                       trade);
            ++value;
        }
    }

    std::vector<double> close(std::size_t scenarios)
    {
        for (const Desk* desk : {&credit_, &rates_, &exotics_}) desk->stream.join();
        std::vector<double> values(trades_.size() * scenarios);
        ensure(cudaMemcpy(values.data(), values_, sizeof(double) * values.size(), cudaMemcpyDeviceToHost));
        return values;
    }

    const std::vector<Trade>& trades() const { return trades_; }
private:
    std::vector<Trade> trades_;
    double* values_{};
    Desk credit_, rates_, exotics_;
};

void keepPoolWarm()
{
    cudaMemPool_t pool;
    std::uint64_t everything = UINT64_MAX;
    ensure(cudaDeviceGetDefaultMemPool(&pool, 0));
    ensure(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &everything));
}

int run()
{
    keepPoolWarm();
    std::vector<Scenario> scenarios;
    for (int s = 0; s < 8; ++s) scenarios.push_back({0.02 + 0.004 * s, 0.0003 - 0.00002 * s});

    const CurveBuilder builder;
    Book book({Bond{0.04, 20}, Swap{0.03, 40}, Bond{0.05, 60}, Cap{0.01, 48}, Swap{0.025, 12}}, scenarios.size());
    for (std::size_t s = 0; s < scenarios.size(); ++s) {
        const Curve curve = builder.bootstrap(scenarios[s]);
        book.revalue(curve, s);
    }
    const std::vector<double> values = book.close(scenarios.size());

    int wrong = 0;
    auto value = values.begin();
    for (const Scenario& s : scenarios)
        for (const Trade& trade : book.trades()) {
            const double expected = std::visit(
                [&](const auto& t) { return valueOf(t, [&](std::size_t i) { return factor(s, i); }); }, trade);
            wrong += std::fabs(*value++ - expected) > 1e-9 * (1.0 + std::fabs(expected));
        }
    return wrong;
}
}  // namespace

int main()
try {
    if (const int wrong = run())
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return 0;
} catch (const GpuError& error) {
    std::printf("ERROR %s\n", error.what());
    return 1;
}
