// Capacity report of the speech cluster: batch latency of one node and what a client sees.
#include "bench.h"
#include "server.h"
#include <chrono>

using namespace voice;

namespace {

double seenByClient(Server& server) {
    const auto t0 = std::chrono::steady_clock::now();
    server.dispatch();
    server.collect();
    const std::chrono::duration<double, std::milli> d = std::chrono::steady_clock::now() - t0;
    return d.count();
}

}  // namespace

int main() {
    Server server(ServerConfig{});
    const double latency = batchLatency(server, BenchPlan{});
    const double client = seenByClient(server);
    std::printf("batch latency %.1f ms, client %.1f ms\n", latency, client);
    const long bad = server.mismatches();
    const double ratio = client / latency;
    if (bad) std::printf("WRONG %ld\n", bad);
    else if (ratio > 1.5 || ratio < 1 / 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return 0;
}
