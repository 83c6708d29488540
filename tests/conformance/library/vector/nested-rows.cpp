// what it asks: Do rows of a vector of vectors have storage and sizes of their own?
#include <vector>

void observe(long long value);

int main() {
    std::vector<std::vector<int>> rows(3, std::vector<int>(2, 1));
    rows[1].push_back(6);
    rows[2][0] = 9;
    std::vector<int>& alias = rows[0];
    alias.assign(4, 5);
    int total = 0;
    for (const auto& row : rows)
        for (int x : row) total += x;
    observe(static_cast<long long>(rows[0].size() * 100 + rows[1].size() * 10 + rows[2].size()));
    observe(rows[1][0] + rows[2][0]);
    observe(total);
}
