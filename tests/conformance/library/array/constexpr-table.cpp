// what it asks: Is a table filled by a constexpr function right, at compile time and after?
#include <array>

void observe(long long value);

constexpr std::array<int, 8> make_table() {
    std::array<int, 8> t{};
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = static_cast<int>(i * i + 1);
    return t;
}
constexpr auto table = make_table();
template <int N>
struct Block {
    static constexpr int threads = N * 2;
};
int main() {
    observe(table[7]);
    observe(Block<table[3]>::threads);
    int sum = 0;
    for (auto it = table.begin(); it != table.end(); it += 2) sum += *it;
    observe(sum);
}
