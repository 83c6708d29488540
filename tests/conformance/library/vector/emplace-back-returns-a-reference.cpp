// what it asks: Does emplace_back return a reference to the new last element?
#include <vector>

void observe(long long value);

struct Dim {
    int x;
    int y;
    Dim(int x_, int y_) : x(x_), y(y_) {}
};
int main() {
    std::vector<Dim> dims;
    dims.emplace_back(1, 1);
    Dim& last = dims.emplace_back(16, 4);
    last.y += 3;
    dims.front().x = 5;
    observe(dims[1].x);
    observe(dims[1].y);
    observe(dims[0].x * 10 + dims[0].y);
}
