// std: c++20
// what it asks: Do first, last and subspan select the right elements?
#include <array>
#include <span>

void observe(long long value);

int main() {
    std::array<int, 8> a{0, 11, 22, 33, 44, 55, 66, 77};
    std::span<int> s(a);
    observe(s.first(3).back());
    observe(s.last(2).front());
    auto mid = s.subspan(2, 4);
    mid[1] = 5;
    observe(a[3] + static_cast<int>(mid.size()) * 100);
    auto tail = mid.subspan(3);
    observe(tail.front());
    observe(static_cast<long long>(s.subspan<5>().size() * 1000 + s.size_bytes()));
}
