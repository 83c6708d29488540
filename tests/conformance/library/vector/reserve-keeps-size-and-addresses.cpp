// what it asks: Does reserve leave the size alone and keep pushes within it from moving the buffer?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{3};
    v.reserve(64);
    observe(static_cast<long long>(v.size()));
    const int* p = v.data();
    int& first = v[0];
    for (int i = 1; i < 50; ++i) v.push_back(i);
    first = 12;
    observe(p == v.data() ? 5 : 6);
    observe(v[0] + v[49]);
    observe(v.capacity() >= 64 ? 64 : 0);
}
