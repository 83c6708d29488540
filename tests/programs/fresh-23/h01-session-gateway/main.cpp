#include "gateway.h"

#include <cstdio>

int main() {
    constexpr int kSessions = 4;
    constexpr int kOrders = 48;
    constexpr int kLevel = 5000;
    try {
        gw::Gateway gateway{gw::GatewayConfig{}};
        for (int s = 0; s < kSessions; ++s) gateway.logon(s);
        gateway.open();

        long long expected[kSessions] = {};
        for (int i = 0; i < kOrders; ++i) {
            const gw::Order order{i % kSessions, kLevel + i % 32, 10 + (i * 7) % 13};
            gateway.post(order);
            expected[order.session] += order.quantity;
            // The first desk leaves early, the others trade on.
            if (i == kOrders - kSessions) gateway.post(gw::Logoff{order.session});
        }
        for (int s = 1; s < kSessions; ++s) gateway.post(gw::Logoff{s});

        const auto statements = gateway.close();
        int wrong = statements.size() == kSessions ? 0 : kSessions;
        for (const auto& line : statements) {
            std::printf("session %d exposure %lld\n", line.session, line.exposure);
            if (line.exposure != expected[line.session]) ++wrong;
        }
        if (wrong) std::printf("WRONG %d\n", wrong);
        else std::printf("DONE\n");
    } catch (const gw::DeviceError& error) {
        std::printf("ERROR %s\n", error.what());
        return 1;
    }
    return 0;
}
