// what it asks: Do the assign forms replace all former elements?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{1, 2, 3, 4, 5, 6};
    v.assign(3, 8);
    observe(static_cast<long long>(v.size() * 100) + v[2]);
    const short samples[] = {5, 10, 15, 20};
    v.assign(samples, samples + 4);
    observe(static_cast<long long>(v.size() * 100) + v[2]);
    v.assign({33, 44});
    observe(static_cast<long long>(v.size() * 100) + v[1]);
    v = {71, 72, 73, 74, 75};
    observe(static_cast<long long>(v.size() * 100) + v[4]);
}
