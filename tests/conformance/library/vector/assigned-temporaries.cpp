// what it asks: Is a container known to be empty after a temporary of some length was assigned to it?
#include <vector>
void observe(long long value);
struct Band { std::vector<float> taps; std::vector<int> n; };
static std::vector<float> box(int width, float level) { return std::vector<float>(width, level); }
static std::vector<int> ints(int width, int level) { return std::vector<int>(width, level); }
static std::vector<int> zeros(int width) { return std::vector<int>(width); }
int main() {
    Band b;
    b.n = ints(32, 1); observe(b.n.size());
    b.n = zeros(31); observe(b.n.size());
    b.n = std::vector<int>(30, 1); observe(b.n.size());
    b.n = std::vector<int>(29); observe(b.n.size());
    std::vector<int> v; v = ints(28, 1); observe(v.size());
    v = zeros(27); observe(v.size());
    b.taps = box(26, 1.0f); observe(b.taps.size());
    std::vector<int> w = ints(25, 4); observe(w.size()); observe(w[3]);
    v = w; observe(v.size());
}
