// what it asks: Does make_tuple copy and forward_as_tuple or ref refer?
#include <functional>
#include <tuple>
#include <utility>

void observe(long long value);

int main() {
    int a = 1, b = 2;
    auto copied = std::make_tuple(a, b);
    auto mixed = std::make_tuple(std::ref(a), b);
    std::pair<int&, int> p{b, a};
    a = 10;
    b = 20;
    observe(std::get<0>(copied) + std::get<1>(copied));
    observe(std::get<0>(mixed) + std::get<1>(mixed));
    observe(p.first + p.second);
    std::get<0>(mixed) = 300;
    p.first = 400;
    observe(a + b);
}
