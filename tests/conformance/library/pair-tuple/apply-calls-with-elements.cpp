// what it asks: Does apply spread a tuple over a function's parameters, references included?
#include <tuple>

void observe(long long value);

static int volume(int x, int y, int z) { return x * 100 + y * 10 + z; }
int main() {
    auto t = std::make_tuple(1, 2, 3);
    observe(std::apply(volume, t));
    int total = 5;
    auto refs = std::tie(total);
    std::apply([](int& out) { out += 40; }, refs);
    observe(total);
    int n = std::apply([](auto... xs) { return (xs + ... + 0) * static_cast<int>(sizeof...(xs)); },
                       std::tuple_cat(t, std::make_tuple(4)));
    observe(n);
}
