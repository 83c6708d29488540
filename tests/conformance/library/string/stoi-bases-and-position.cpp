// what it asks: Does stoi stop at the first odd character, report where, and read other bases?
#include <string>

void observe(long long value);

int main() {
    std::size_t used = 0;
    int n = std::stoi("  42px", &used);
    observe(n);
    observe(static_cast<long long>(used));
    observe(std::stoi("ff", nullptr, 16));
    observe(std::stol("-1011", nullptr, 2));
    n = std::stoi("0x1A", &used, 0);
    observe(n * 10 + static_cast<long long>(used));
    observe(static_cast<long long>(std::stod("2.75e1") * 4));
}
