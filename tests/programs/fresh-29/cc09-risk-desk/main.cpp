// A trading session: fills go to the position engine as they come in, and the
// risk desk asks for the exposure after every wave.
#include <random>

#include "risk_monitor.h"

int main()
{
    std::mt19937 rng(7);
    std::vector<desk::Position> expected(desk::kInstruments, desk::Position{0, 0});
    int wrong = 0;

    desk::PositionEngine engine;
    desk::RiskMonitor monitor(engine);
    if (!(monitor.query().get() == desk::exposure_of(expected))) ++wrong;

    engine.open();
    for (int wave = 0; wave < 6; ++wave) {
        std::vector<desk::Fill> fills(200);
        for (auto &f : fills) {
            f = {int(rng() % desk::kInstruments), int(rng() % 201) - 100, 1000 + int(rng() % 500)};
            expected[f.instrument].quantity += f.quantity;
            expected[f.instrument].notional += 1ll * f.quantity * f.price;
        }
        engine.apply(fills);
        if (!(monitor.query().get() == desk::exposure_of(expected))) ++wrong;
    }
    engine.close();

    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return wrong != 0;
}
