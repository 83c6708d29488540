// Sends a stream of requests to the scoring server and compares every answer.
#include "server.h"

#include <cstdio>

using namespace serve;

namespace {

std::vector<Activation> make_request(const ModelConfig& config, int batch, int number) {
    std::vector<Activation> samples(static_cast<std::size_t>(batch) * config.features);
    std::uint32_t state = 77u + static_cast<std::uint32_t>(number) * 7919u;
    for (auto& value : samples) {
        state = state * 22695477u + 1u;
        value = static_cast<Activation>((state >> 18) & 31u) - 15;
    }
    return samples;
}

int serve_requests() {
    const ModelConfig config;
    const Weights weights = Weights::random(config);
    Model model(config, weights);
    Server server(model);

    const std::vector<int> sizes{8, 32, 16, 8, 32, 8, 16, 32, 8, 16, 8, 32};
    int wrong = 0;
    int number = 0;
    for (int batch : sizes) {
        const auto request = make_request(config, batch, number++);
        if (server.infer(request) != reference_scores(config, weights, request)) ++wrong;
    }
    std::printf("%ld launches of %zu graphs\n", server.launches(), server.cached_graphs());
    return wrong;
}

}  // namespace

int main() {
    int wrong = 0;
    try {
        wrong = serve_requests();
    } catch (const RuntimeError& e) {
        std::fprintf(stderr, "%s\n", e.what());
        std::printf("ERROR %s\n", cudaGetErrorName(e.status()));
        return 1;
    }
    if (wrong != 0) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
