// what it asks: Does stable_sort keep equal keys in their order?
#include <algorithm>
#include <vector>

void observe(long long value);

struct Sample {
    int key;
    int origin;
};
int main() {
    std::vector<Sample> v;
    for (int i = 0; i < 9; ++i) v.push_back({i * 5 % 3, i});
    std::stable_sort(v.begin(), v.end(), [](const Sample& a, const Sample& b) { return a.key < b.key; });
    int zeros = 0, twos = 0;
    for (const auto& s : v) {
        if (s.key == 0) zeros = zeros * 10 + s.origin;
        if (s.key == 2) twos = twos * 10 + s.origin;
    }
    observe(zeros + 1000);
    observe(twos);
    observe(v[3].origin * 10 + v[8].origin);
}
