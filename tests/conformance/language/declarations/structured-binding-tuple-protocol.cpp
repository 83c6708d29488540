// what it asks: Does the tuple protocol of an own class supply the bindings' values?
#include <cstddef>
#include <utility>

void observe(long long value);

class Packed {
    int bits_;
public:
    explicit Packed(int b) : bits_(b) {}
    template <std::size_t I> int get() const { return bits_ >> (I * 4) & 15; }
};
namespace std {
template <> struct tuple_size<Packed> { static constexpr size_t value = 3; };
template <size_t I> struct tuple_element<I, Packed> { using type = int; };
}

int main() {
    Packed p(0x5A3);
    auto [low, middle, high] = p;
    observe(low);
    observe(middle);
    observe(high);
    p = Packed(0);
    observe(low * 100 + high);
}
