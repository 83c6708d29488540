// what it asks: Does erase close the gap and return the element after the erased ones?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{0, 11, 22, 33, 44, 55, 66};
    auto next = v.erase(v.begin() + 1);
    observe(*next);
    next = v.erase(v.begin() + 2, v.begin() + 5);
    observe(*next);
    observe(next - v.begin());
    observe(static_cast<long long>(v.size()));
    observe(v[0] + v[1] + v[2]);
}
