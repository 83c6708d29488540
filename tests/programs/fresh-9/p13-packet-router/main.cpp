#include "router.h"
#include <cstdio>
#include <memory>

namespace {

std::vector<router::Route> table_update(std::uint32_t generation) {
    std::vector<router::Route> routes;
    for (std::uint32_t i = 0; i < 2048; ++i)
        routes.push_back({(i * 31u + generation * 7u) & 0xffffu, 2u + (i * generation) % 13u});
    return routes;
}

std::size_t compare(router::ForwardingPlane& plane, const std::vector<std::uint32_t>& model, std::uint32_t salt) {
    std::vector<std::uint32_t> addresses(4096), hops;
    std::uint32_t s = salt;
    for (auto& a : addresses) a = s = s * 1103515245u + 12345u;
    plane.resolve(addresses, hops);
    std::size_t bad = 0;
    for (std::size_t i = 0; i < addresses.size(); ++i) bad += hops[i] != model[addresses[i] >> 16];
    return bad;
}

}  // namespace

int main() {
    try {
        router::Options opt;
        opt.default_hop = 9;
        auto plane = std::make_unique<router::ForwardingPlane>(opt);
        std::vector<std::uint32_t> model(router::kBuckets, opt.default_hop);

        plane->start();
        std::size_t bad = compare(*plane, model, 1u);
        for (std::uint32_t generation = 1; generation <= 3; ++generation) {
            const auto update = table_update(generation);
            plane->publish(update);
            for (const auto& r : update) model[r.prefix] = r.next_hop;
            bad += compare(*plane, model, generation * 77u);
        }
        plane->stop();

        if (bad) std::printf("WRONG %zu\n", bad);
        else std::puts("DONE");
        return bad ? 1 : 0;
    } catch (const router::CudaError& e) {
        std::printf("ERROR %s\n", e.what());
        return 2;
    }
}
