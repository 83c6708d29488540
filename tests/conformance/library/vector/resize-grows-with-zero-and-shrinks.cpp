// what it asks: Does resize zero the new ints, take the given fill and cut off the end?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{7, 7, 7};
    v.resize(5);
    observe(v[2] * 10 + v[3]);
    v.resize(8, 6);
    observe(v[4] * 10 + v[5]);
    v.resize(2);
    observe(static_cast<long long>(v.size()));
    v.resize(4, 3);
    observe(v[1] * 10 + v[2]);
}
