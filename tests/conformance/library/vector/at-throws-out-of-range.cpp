// what it asks: Does at throw past the end and read or write within?
#include <stdexcept>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{2, 4, 6};
    v.at(1) = 40;
    int reached = 10;
    try {
        reached += v.at(2);
        reached += v.at(3);
        reached += 1000;
    } catch (const std::out_of_range&) {
        reached += 100;
    }
    observe(reached);
    observe(v.at(1));
}
