// what it asks: Do lambdas as arguments of algorithms filter, order and sum by their captures?
#include <algorithm>
#include <numeric>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v = {5, 12, 7, 20, 3, 15};
    int bound = 6;
    observe(std::count_if(v.begin(), v.end(), [bound](int x) { return x > bound; }));
    std::sort(v.begin(), v.end(), [](int a, int b) { return a % 5 != b % 5 ? a % 5 < b % 5 : a > b; });
    observe(v[0]);
    observe(v[5]);
    int sum = 0;
    std::for_each(v.begin(), v.end(), [&sum, i = 0](int x) mutable { sum += x * i++; });
    observe(sum);
    observe(std::accumulate(v.begin(), v.end(), 1000, [](int a, int x) { return a - x; }));
}
