// what it asks: Does a function that works on a copy leave the original untouched when it throws?
#include <vector>

void observe(long long value);

static void addAllUnsafe(std::vector<int>& v, int upTo) {
    for (int i = 0; i < upTo; ++i) {
        if (i == 3) throw i;
        v.push_back(i);
    }
}
static void addAllSafe(std::vector<int>& v, int upTo) {
    std::vector<int> copy = v;
    addAllUnsafe(copy, upTo);
    v.swap(copy);
}
template <class F> int sizeAfter(F f, int upTo) {
    std::vector<int> v = {7, 7};
    try {
        f(v, upTo);
    } catch (int) {
        return static_cast<int>(v.size()) + 100;
    }
    return static_cast<int>(v.size());
}

int main() {
    observe(sizeAfter(addAllSafe, 3));
    observe(sizeAfter(addAllSafe, 6));
    observe(sizeAfter(addAllUnsafe, 6));
}
