// what it asks: Does accumulate sum in the type of its start value?
#include <numeric>
#include <string>
#include <vector>

void observe(long long value);

int main() {
    std::vector<double> v{0.5, 1.5, 2.75, 0.75};
    observe(std::accumulate(v.begin(), v.end(), 0));
    observe(static_cast<long long>(std::accumulate(v.begin(), v.end(), 0.0) * 2));
    observe(std::accumulate(v.begin(), v.end(), 100, [](int n, double x) { return n - (x > 1.0 ? 30 : 1); }));
    std::vector<std::string> parts{"4", "0", "96"};
    observe(std::stoi(std::accumulate(parts.begin(), parts.end(), std::string("1"))));
}
