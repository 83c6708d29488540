#pragma once
#include <cstddef>
#include <memory>
#include <string>

namespace risk {

struct EngineConfig {
    std::string source = "historical";
    int batches = 10;
    int scenarios = 4096;
    unsigned long long pricingNs = 40'000'000ull;
};

// Where market scenarios come from: a day of history, or a stress set.
class ScenarioSource {
public:
    virtual ~ScenarioSource() = default;
    virtual void fill(int batch, int* shocks, std::size_t count) = 0;
};

class HistoricalSource final : public ScenarioSource {
public:
    static int shock(int batch, std::size_t i) { return batch * 1000 + static_cast<int>(i % 97); }
    void fill(int batch, int* shocks, std::size_t count) override {
        for (std::size_t i = 0; i < count; ++i) shocks[i] = shock(batch, i);
    }
};

class FlatSource final : public ScenarioSource {
public:
    void fill(int, int* shocks, std::size_t count) override {
        for (std::size_t i = 0; i < count; ++i) shocks[i] = 1;
    }
};

inline std::unique_ptr<ScenarioSource> makeSource(const std::string& name) {
    if (name == "historical") return std::make_unique<HistoricalSource>();
    return std::make_unique<FlatSource>();
}

}  // namespace risk
