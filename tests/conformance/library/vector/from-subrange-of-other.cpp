// what it asks: Are elements of a vector built from iterators of another one the converted middle ones?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> source{3, 1, 4, 1, 5, 9, 2, 6};
    std::vector<long> middle(source.begin() + 2, source.end() - 2);
    std::vector<int> backwards(source.rbegin(), source.rbegin() + 3);
    observe(static_cast<long long>(middle.size()));
    observe(middle.front() * 10 + middle.back());
    observe(backwards[0] * 100 + backwards[1] * 10 + backwards[2]);
}
