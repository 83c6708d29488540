// what it asks: Do the count, range and list forms of insert put their elements in order?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{1, 9};
    v.insert(v.begin() + 1, 3, 4);
    const int extra[] = {6, 7};
    v.insert(v.end() - 1, extra, extra + 2);
    v.insert(v.end(), {20, 30, 40});
    int weighted = 0;
    for (std::size_t i = 0; i < v.size(); ++i) weighted += static_cast<int>(i) * v[i];
    observe(static_cast<long long>(v.size()));
    observe(v[4] * 10 + v[6]);
    observe(weighted);
    observe(v.back());
}
