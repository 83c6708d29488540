// what it asks: Does a two-dimensional loop over a flat vector give the transposed elements?
#include <vector>

void observe(long long value);

int main() {
    const int rows = 3, cols = 4;
    std::vector<int> a(rows * cols), t(rows * cols);
    for (int i = 0; i < rows * cols; ++i) a[i] = i * i;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) t[c * rows + r] = a[r * cols + c];
    observe(t[1]);
    observe(t[3]);
    observe(t[10]);
    observe(a[11] - t[11] + 3);
}
