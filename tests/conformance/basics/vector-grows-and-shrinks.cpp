// what it asks: how long a vector is and what it holds after insertions and erasures.
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> values{4, 5, 6};
    values.push_back(7);
    values.erase(values.begin() + 1);
    values.insert(values.begin(), 3);
    observe(static_cast<long long>(values.size()));
    observe(values[1]);
    values.pop_back();
    observe(values.back());
    values.resize(6, 9);
    observe(values[4]);
    return 0;
}
