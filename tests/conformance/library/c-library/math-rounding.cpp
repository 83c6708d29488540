// what it asks: Do floor, ceil, round, trunc and the power functions round as they should?
#include <cmath>

void observe(long long value);

int main() {
    observe(static_cast<long long>(std::floor(-2.5)) * 10 + static_cast<long long>(std::ceil(-2.5)));
    observe(std::lround(2.5) * 10 + std::lround(-3.5));
    observe(static_cast<long long>(std::trunc(-7.9)));
    observe(static_cast<long long>(std::sqrt(144.0) + std::pow(2.0, 5.0)));
    observe(static_cast<long long>(std::fmax(3.0, 9.0) * 10 + std::fmin(3.0, 9.0)));
    observe(static_cast<long long>(std::ldexp(3.0, 4)) + std::ilogb(1000.0));
}
