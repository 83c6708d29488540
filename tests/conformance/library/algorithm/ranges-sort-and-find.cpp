// std: c++20
// what it asks: Do the ranges forms sort by projection and find by member?
#include <algorithm>
#include <vector>

void observe(long long value);

struct Device {
    int id;
    int cores;
};
int main() {
    std::vector<Device> ds{{0, 40}, {1, 108}, {2, 16}, {3, 84}};
    std::ranges::sort(ds, {}, &Device::cores);
    observe(ds[0].id * 1000 + ds[1].id * 100 + ds[2].id * 10 + ds[3].id);
    auto it = std::ranges::find(ds, 84, &Device::cores);
    observe(it - ds.begin());
    observe(std::ranges::count_if(ds, [](int c) { return c > 20; }, &Device::cores));
    observe(std::ranges::max(ds, {}, &Device::id).cores);
}
