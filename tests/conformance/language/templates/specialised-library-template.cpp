// std: c++17
// what it asks: Does a library template that the program specialises for its own type stay the library's for others?
#include <cstddef>
#include <cstdint>
#include <functional>

void observe(long long value);

enum class Kind : std::uint8_t { Small = 3, Large = 9 };

namespace std {
template <>
struct hash<Kind> {
    size_t operator()(Kind kind) const { return 100 + std::hash<int>()(static_cast<int>(kind)) * 0; }
};
}  // namespace std

template <class T>
struct Width;
template <>
struct Width<float> {
    static constexpr int value = 4;
};
template <>
struct Width<double> {
    static constexpr int value = 8;
};

int main() {
    observe(static_cast<long long>(std::hash<Kind>()(Kind::Large)));
    observe(Width<double>::value);
    observe(Width<float>::value);
}
