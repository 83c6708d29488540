// what it asks: Does a comparison through tie order structs by its members in turn?
#include <algorithm>
#include <tuple>

void observe(long long value);

struct Version {
    int major_;
    int minor_;
    int patch;
    bool operator<(const Version& o) const {
        return std::tie(major_, minor_, patch) < std::tie(o.major_, o.minor_, o.patch);
    }
};
int main() {
    Version v[] = {{11, 8, 0}, {12, 0, 1}, {11, 2, 152}, {12, 0, 0}, {9, 99, 99}};
    std::sort(v, v + 5);
    observe(v[0].minor_);
    observe(v[1].patch);
    observe(v[4].major_ * 100 + v[4].patch);
    auto newest = std::max_element(v, v + 4);
    observe(newest - v);
}
