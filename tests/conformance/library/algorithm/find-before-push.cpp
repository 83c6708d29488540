// what it asks: Does a search in a growing vector find what was pushed, in copies of it too?
#include <algorithm>
#include <vector>
#include <optional>
void observe(long long value);
struct T { std::vector<int> v; void used(int s) { if (std::find(v.begin(), v.end(), s) == v.end()) v.push_back(s); } };
int main() {
    std::vector<int> v;
    observe(std::find(v.begin(), v.end(), 3) == v.end());
    v.push_back(3);
    observe(v.size());
    observe(std::find(v.begin(), v.end(), 3) == v.end());
    T t;
    observe(t.v.size());
    t.used(3);
    observe(t.v.size());
    T u(t);
    u.used(3);
    u.used(4);
    observe(u.v.size());
    observe(t.v.size());
    std::optional<int> best; int got = 0;
    for (int x : {64, 128, 256}) { if (!best || 300 - x < *best) { best = 300 - x; got = x; } }
    observe(got);
    std::optional<float> fbest; int fgot = 0;
    for (int x : {64, 128, 256}) { float ms = 300 - x; if (!fbest || ms < *fbest) { fbest = ms; fgot = x; } }
    observe(fgot);
    int b = 1; while (b < 48) b *= 2;
    observe(b);
}
