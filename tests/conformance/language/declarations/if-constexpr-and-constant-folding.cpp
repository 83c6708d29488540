// what it asks: Does a constant condition choose a branch by the sizes of types and named constants?
#include <cstdint>

void observe(long long value);

constexpr bool kDebug = false;
template <class T> int scratchBytes(int n) {
    if constexpr (sizeof(T) == 1) {
        return (n + 3) / 4 * 4;
    } else {
        return n * static_cast<int>(sizeof(T));
    }
}

int main() {
    observe(scratchBytes<std::uint8_t>(13));
    observe(scratchBytes<std::uint16_t>(13));
    int level = 5;
    if (kDebug) {
        level = 900;
    }
    observe(level);
    if constexpr (sizeof(void*) == 8 && !kDebug) {
        level += 60;
    } else {
        level += 7000;
    }
    observe(level);
}
