// what it asks: What do vectors in members hold that come from braces in a returned list?
#include <vector>
#include <string>
#include <memory>
void observe(long long value);
struct Desc { std::string label; std::vector<int> taps; int samples; };
static std::vector<Desc> bank(int samples) {
    return {
        {"smooth", {1, 2, 4, 2, 1}, samples},
        {"edge", {-1, -2, 0}, samples},
    };
}
struct Plan { explicit Plan(const Desc& d) : m(d) { observe(m.taps.size()); observe(m.samples); } Desc m; };
int main() {
    for (const auto& d : bank(7)) { observe(d.taps.size()); observe(d.samples); Plan p(d); }
    std::vector<Desc> v = bank(8);
    observe(v.size());
    observe(v[1].taps.size());
    observe(v[0].taps[2]);
}
