// std: c++20
// what it asks: Is the C++20 range-for initialiser variable live for the whole loop?
#include <vector>

void observe(long long value);

static int made = 0;
static std::vector<int> make(int n) {
    ++made;
    std::vector<int> v;
    for (int i = 1; i <= n; ++i) {
        v.push_back(i * n);
    }
    return v;
}

int main() {
    int total = 0;
    for (auto v = make(4); int x : v) {
        v[3] = 50;
        total += x;
    }
    observe(total);
    for (int i = 0; int x : make(3)) {
        total += x * i++;
    }
    observe(total);
    observe(made + 10);
}
