// what it asks: Tuples and pairs of handles come back from functions and are taken apart.
#include <string>
#include <tuple>
#include <utility>
#include <vector>

void observe(long long value);

std::tuple<int, int*, int> allocate(int n) {
    static int storage[4] = {5, 6, 7, 8};
    return {n, &storage[n], n + 1};
}

std::pair<int, int> extent(int n) { return {n / 10, n % 10}; }

int main() {
    auto [size, data, next] = allocate(2);
    observe(size);
    observe(*data);
    observe(next);
    int rows = 0, columns = 0;
    std::tie(rows, columns) = extent(47);
    observe(rows * 100 + columns);
    std::vector<std::tuple<std::string, int, int>> listing{{"brent", 1, 3}, {"copper", 2, 1}, {"gasoil", 3, 5}};
    int seeds = 0, expiries = 0;
    for (const auto& [name, seed, expiry] : listing) {
        seeds += seed;
        expiries = expiries * 10 + expiry;
    }
    observe(seeds);
    observe(expiries);
    observe(std::get<2>(listing[2]));
    int sum = std::apply([](int a, int* b, int c) { return a + *b + c; }, allocate(1));
    observe(sum);
    std::vector<std::pair<int, int>> pairs;
    pairs.emplace_back(3, 4);
    pairs.push_back({5, 6});
    pairs.push_back(std::make_pair(7, 8));
    int weighted = 0;
    for (auto& [a, b] : pairs) weighted += a * b;
    observe(weighted);
}
