// what it asks: Does numeric_limits tell the bounds and digits of the types?
#include <cstdint>
#include <initializer_list>
#include <limits>

void observe(long long value);

int main() {
    observe(std::numeric_limits<std::int16_t>::min());
    observe(std::numeric_limits<std::uint8_t>::max());
    observe(std::numeric_limits<float>::digits);
    int least = std::numeric_limits<int>::max();
    for (int x : {40, 7, 19}) least = x < least ? x : least;
    observe(least);
    observe(std::numeric_limits<double>::infinity() > 1e300 ? 12 : 13);
    observe(std::numeric_limits<unsigned>::digits + std::numeric_limits<int>::digits);
}
