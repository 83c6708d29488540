// std: c++20
// what it asks: Does a loop making row spans of a flat buffer address each row?
#include <cstddef>
#include <span>
#include <vector>

void observe(long long value);

struct Matrix {
    std::vector<int> data;
    std::size_t cols;
    Matrix(std::size_t r, std::size_t c) : data(r * c), cols(c) {}
    std::span<int> row(std::size_t r) { return std::span(data).subspan(r * cols, cols); }
};
static int dot(std::span<const int> a, std::span<const int> b) {
    int s = 0;
    for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
    return s;
}
int main() {
    Matrix m(3, 4);
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t i = 0; i < 4; ++i) m.row(r)[i] = static_cast<int>(r * 2 + i);
    observe(dot(m.row(1), m.row(2)));
    m.row(0).back() = 50;
    observe(m.data[3]);
    observe(dot(m.row(0), m.row(1)));
}
