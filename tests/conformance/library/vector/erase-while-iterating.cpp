// what it asks: Does the loop that goes on from the iterator erase returns drop just the odd ones?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{1, 3, 4, 7, 8, 9, 10, 11};
    int erased = 0;
    for (auto it = v.begin(); it != v.end();) {
        if (*it % 2 == 1) {
            it = v.erase(it);
            ++erased;
        } else {
            ++it;
        }
    }
    observe(erased);
    observe(static_cast<long long>(v.size()));
    observe(v[0] * 100 + v[1] * 10 + v[2]);
}
