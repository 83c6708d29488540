// what it asks: Do nested braces build a matrix and a map of vectors?
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

void observe(long long value);

struct Matrix {
    std::vector<int> data;
    std::size_t rows = 0;
    Matrix(std::initializer_list<std::initializer_list<int>> lists) : rows(lists.size()) {
        for (const auto& row : lists) data.insert(data.end(), row.begin(), row.end());
    }
};
int main() {
    Matrix m{{1, 2, 3}, {4, 5, 6}};
    observe(static_cast<long long>(m.rows * 10 + m.data.size()));
    observe(m.data[3]);
    std::map<std::string, std::vector<int>> sizes{{"grid", {8, 4}}, {"block", {32}}, {"none", {}}};
    observe(sizes["grid"][1] + sizes["block"][0]);
    observe(static_cast<long long>(sizes["none"].size() + sizes.size() * 20));
}
