// what it asks: Does an array of arrays index row first, with rows that copy?
#include <array>

void observe(long long value);

int main() {
    std::array<std::array<int, 3>, 2> m{{{1, 2, 3}, {4, 5, 6}}};
    auto row = m[1];
    row[0] = 70;
    m[0] = row;
    m[1][2] = 9;
    observe(m[0][0]);
    observe(m[1][0]);
    int trace = 0;
    for (const auto& r : m)
        for (int v : r) trace = trace * 2 + v;
    observe(trace);
}
