// what it asks: Do iterator sums, differences, indexing and comparison follow the positions?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{2, 3, 5, 7, 11, 13};
    auto a = v.begin() + 1;
    auto b = v.end() - 2;
    observe(b - a);
    observe(a[2]);
    observe(*--b);
    b += 2;
    observe(*b + (a < b ? 100 : 200));
    std::vector<int>::const_iterator c = a++;
    observe(*c * 10 + *a);
}
