// what it asks: Do writes through data() by a function taking a raw pointer show in the vector?
#include <cstddef>
#include <vector>

void observe(long long value);

static void scale(int* out, const int* in, std::size_t n, int factor) {
    for (std::size_t i = 0; i < n; ++i) out[i] = in[i] * factor;
}
int main() {
    std::vector<int> a{1, 2, 3, 4};
    std::vector<int> b(a.size(), -1);
    scale(b.data() + 1, a.data(), 3, 5);
    observe(b[0] + 100);
    observe(b[1]);
    observe(b[3]);
    b[2] = 77;
    observe(*(b.data() + 2));
}
