// std: c++20
// what it asks: Does C++20 conversion of a wide value to int8_t and int16_t wrap modulo 2^N to a negative value?
#include <cstdint>

void observe(long long value);

int main() {
    int big = 200;
    auto s8 = static_cast<std::int8_t>(big);
    observe(s8);
    int bigger = 40000;
    auto s16 = static_cast<std::int16_t>(bigger);
    observe(s16);
    auto both = static_cast<std::int8_t>(static_cast<std::int16_t>(66000));
    observe(both);
    observe(static_cast<std::int8_t>(s16));
}
