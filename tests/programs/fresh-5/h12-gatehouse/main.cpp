#include "antenna.hpp"

#include <cstdio>
#include <memory>
#include <vector>

namespace {

struct ArrayConfig {
    int antennas = 4;
    int samples = 1 << 16;
};

int observe(const ArrayConfig& cfg)
{
    std::vector<std::unique_ptr<corr::Antenna>> dishes;
    for (int id = 0; id < cfg.antennas; ++id) {
        dishes.push_back(std::make_unique<corr::Antenna>(id, cfg.samples));
        dishes.back()->self_test();
    }

    corr::Gate gate;
    std::vector<std::future<void>> armed;
    std::vector<std::future<unsigned long long>> powers;
    for (auto& dish : dishes) {
        std::promise<void> ready;
        armed.push_back(ready.get_future());
        powers.push_back(std::async(
            std::launch::async,
            [&gate, &dish](std::promise<void> p) { return dish->integrate(gate, std::move(p)); },
            std::move(ready)));
    }

    for (auto& flag : armed) flag.wait();
    gate.open();

    int wrong = 0;
    for (std::size_t i = 0; i < dishes.size(); ++i)
        wrong += powers[i].get() != corr::expected_power(dishes[i]->calibration(), cfg.samples);
    return wrong;
}

}  // namespace

int main()
{
    try {
        const int wrong = observe({});
        if (wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
        return wrong != 0;
    } catch (const corr::DeviceFailure& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
