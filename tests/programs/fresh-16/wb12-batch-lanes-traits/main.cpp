#include <chrono>
#include <cstdio>

#include "executor.h"
#include "model.h"

using namespace batch;

namespace {

template <class F> double seconds(F&& f) {
    const auto t0 = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count();
}

}  // namespace

int main() {
    constexpr std::size_t kTokens = 1 << 19;
    constexpr std::size_t kLanes = 4;
    Executor<Token, Token> executor(kLanes, kTokens, rescore);
    for (std::size_t l = 0; l < kLanes; ++l)
        for (std::size_t i = 0; i < kTokens; ++i) executor.lane(l).input[i] = Token(i * 31 + l * 7);

    executor.run(kLanes);
    const double one = seconds([&] { executor.run(1); });
    const double all = seconds([&] { executor.run(kLanes); });

    std::size_t wrong = 0;
    for (std::size_t l = 0; l < kLanes; ++l)
        for (std::size_t i = 0; i < kTokens; ++i)
            wrong += executor.lane(l).output[i] != rescored(executor.lane(l).input[i]);

    const double ratio = all / one;
    if (wrong) std::printf("WRONG %zu\n", wrong);
    else if (ratio > 1.5) std::printf("SLOW %.2f\n", ratio);
    else std::printf("DONE\n");
    return wrong != 0 || ratio > 1.5;
}
