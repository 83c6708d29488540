#include <array>
#include <cstdio>
#include <exception>
#include <future>
#include <memory>
#include <vector>

#include "server.h"

using namespace serve;

namespace {

constexpr std::array<int, 4> kSizes = {1, 2, 4, 8};

unsigned long long expected(int token) {
    std::vector<int> x(kHidden);
    for (int i = 0; i < kHidden; ++i) x[static_cast<size_t>(i)] = embed(token, i);
    for (int l = 0; l < kLayers; ++l) {
        for (int i = 0; i < kHidden; ++i) {
            x[static_cast<size_t>(i)] = neuron(x[static_cast<size_t>(i)], weight_value(l, (i + l) % kHidden), l);
        }
    }
    unsigned long long sum = 0;
    for (int i = 0; i < kHidden; ++i) {
        sum += static_cast<unsigned long long>(x[static_cast<size_t>(i)]) * static_cast<unsigned>(1 + i % 7);
    }
    return sum;
}

using Shelf = std::vector<std::unique_ptr<Program>>;

// Records the programs for every other batch size.
Shelf record(const WeightStore& weights, size_t first) {
    Shelf shelf;
    for (size_t i = first; i < kSizes.size(); i += 2) shelf.push_back(std::make_unique<Program>(kSizes[i], weights));
    return shelf;
}

}  // namespace

int main() {
    try {
        start_engine();
        long bad = 0;
        {
            WeightStore weights;
            auto others = std::async(std::launch::async, [&] { return record(weights, 1); });
            Shelf programs = record(weights, 0);
            for (auto& p : others.get()) programs.push_back(std::move(p));

            int token = 5;
            for (int round = 0; round < 6; ++round) {
                for (auto& p : programs) {
                    std::vector<int> tokens;
                    for (int b = 0; b < p->batch(); ++b) tokens.push_back(token = (token * 37 + 11) % 5003);
                    const auto logits = p->infer(tokens);
                    for (size_t b = 0; b < tokens.size(); ++b) bad += logits[b] != expected(tokens[b]);
                }
            }
            for (auto& p : programs) bad += p->chunks() == 0;
        }
        if (bad) {
            std::printf("WRONG %ld\n", bad);
            return 1;
        }
        std::printf("DONE\n");
        return 0;
    } catch (const std::exception& e) {
        std::printf("ERROR %s\n", e.what());
        return 1;
    }
}
