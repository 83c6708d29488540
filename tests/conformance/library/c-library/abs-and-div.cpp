// what it asks: Do abs, div and friends follow truncation toward zero?
#include <cmath>
#include <cstdlib>

void observe(long long value);

int main() {
    observe(std::abs(-17) * 10 + std::abs(3));
    std::div_t d = std::div(-17, 5);
    observe(d.quot);
    observe(d.rem);
    observe(static_cast<long long>(std::fabs(-2.5) * 10));
    observe(static_cast<long long>(std::fmod(17.5, 5.0) * 10));
    observe(std::llabs(-40LL) + std::labs(-2L));
}
