// what it asks: Does an optional hold something that was filled on one side of a branch?
#include <cstdint>
#include <optional>
#include <string>

void observe(long long value);

int two() {
    std::string word = "kernel";
    return static_cast<int>(word.size() % 4);
}

int main() {
    std::optional<int> maybe;
    if (two() == 3) maybe = 7;
    observe(maybe ? 1 : 2);
    std::optional<int> copy = maybe;
    observe(copy.has_value() ? 1 : 2);
    observe(copy.value_or(5));

    std::optional<std::uint16_t> zero;
    zero = static_cast<std::uint16_t>(false);
    observe(zero ? 1 : 2);
    observe(zero.value_or(9));

    auto pair = std::make_pair(17LL, static_cast<bool>(3));
    pair.second += 24;
    observe(pair.second);
    return 0;
}
