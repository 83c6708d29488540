// what it asks: Does a fixed underlying type decide the width of an enumeration and its conversion?
#include <cstdint>
#include <type_traits>

void observe(long long value);

enum class Small : std::uint8_t { A = 250, B, C };
enum Wide : long long { W = 70000 };

int main() {
    observe(static_cast<int>(Small::C));
    observe(sizeof(Small) + 10);
    observe(sizeof(Wide) + 10);
    using U = std::underlying_type_t<Small>;
    U u = static_cast<U>(static_cast<U>(Small::B) + 10);
    observe(u);
    Wide w = W;
    observe(w / 7);
}
