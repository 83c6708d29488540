// what it asks: Do count_if, any_of, all_of and none_of stop and answer as they should?
#include <algorithm>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{2, 4, 6, 7, 8, 10};
    auto even = [](int x) { return x % 2 == 0; };
    observe(std::count_if(v.begin(), v.end(), even));
    int looked = 0;
    bool all = std::all_of(v.begin(), v.end(), [&](int x) { ++looked; return even(x); });
    observe(looked * 10 + (all ? 1 : 2));
    bool any = std::any_of(v.begin(), v.end(), [&](int x) { ++looked; return x > 5; });
    observe(looked * 10 + (any ? 1 : 2));
    std::vector<int> none;
    int mask = (std::all_of(none.begin(), none.end(), even) ? 4 : 8) +
               (std::any_of(none.begin(), none.end(), even) ? 16 : 32) +
               (std::none_of(v.begin(), v.end(), even) ? 64 : 128);
    observe(mask);
}
