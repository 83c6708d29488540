// what it asks: Is pushing a vector's own element safe when the push makes it grow?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{13};
    for (int i = 0; i < 10; ++i) {
        v.push_back(v[0]);
        v[0] += 1;
    }
    observe(v[0]);
    observe(v[1]);
    observe(v.back());
    v.insert(v.begin(), v.back());
    observe(v.front() * 100 + v[1]);
}
