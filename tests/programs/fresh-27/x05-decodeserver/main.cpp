#include "engine.h"

#include <cstdio>
#include <vector>

namespace {

std::vector<int> expected(const std::vector<int>& prompt, int tokens) {
    std::vector<int> keys;
    for (std::size_t i = 0; i < prompt.size(); ++i) keys.push_back(llm::keyOf(prompt[i], static_cast<int>(i)));
    std::vector<int> out;
    for (int t = 0; t < tokens; ++t) {
        const int length = static_cast<int>(keys.size());
        int sum = 0;
        for (int k : keys) sum += k;
        out.push_back(llm::mixToken(sum, length));
        keys.push_back(llm::keyOf(out.back(), length));
    }
    return out;
}

}  // namespace

int main() {
    llm::EngineConfig config;
    llm::Engine engine(config);
    engine.start();

    int wrong = 0;
    for (int r = 0; r < 12; ++r) {
        std::vector<int> prompt(64 + 40 * r);
        for (std::size_t i = 0; i < prompt.size(); ++i) prompt[i] = static_cast<int>((i * 7 + r * 101) % 3200);
        const int tokens = 16 + r;
        const auto got = engine.generate(prompt, tokens);
        const auto want = expected(prompt, tokens);
        for (int t = 0; t < tokens; ++t) wrong += got[t] != want[t];
    }
    engine.stop();

    if (wrong)
        std::printf("WRONG %d\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
