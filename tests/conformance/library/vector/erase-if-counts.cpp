// std: c++20
// what it asks: Does std::erase_if return how many elements it took out?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v;
    for (int i = 0; i < 20; ++i) v.push_back(i * 3);
    auto dropped = std::erase_if(v, [](int x) { return x % 4 == 0; });
    observe(static_cast<long long>(dropped));
    observe(static_cast<long long>(v.size()));
    observe(v[3]);
    auto same = std::erase(v, 57);
    observe(static_cast<long long>(same) * 100 + v.back());
}
