// what it asks: Is an empty optional less than any value, and are values compared by value?
#include <optional>

void observe(long long value);

int main() {
    std::optional<int> none, zero = 0, five = 5;
    int mask = 0;
    if (none < zero) mask |= 1;
    if (zero < five) mask |= 2;
    if (five == 5) mask |= 4;
    if (none == zero) mask |= 8;
    if (none == std::nullopt) mask |= 16;
    if (five > 7) mask |= 32;
    observe(mask);
    five.swap(none);
    observe(none.value_or(40) * 10 + five.value_or(3));
}
