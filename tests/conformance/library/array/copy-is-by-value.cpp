// what it asks: Does assigning a std::array copy its elements, also inside a struct and as an argument?
#include <array>

void observe(long long value);

struct Params {
    std::array<int, 3> dims;
    int scale;
};
static int consume(Params p) {
    p.dims[0] = 100;
    return p.dims[0] + p.dims[1] * p.scale;
}
int main() {
    std::array<int, 3> a{1, 2, 3};
    std::array<int, 3> b = a;
    b[0] = 7;
    Params p{b, 4};
    b[1] = 60;
    observe(a[0] * 10 + b[0]);
    observe(p.dims[1]);
    observe(consume(p));
    observe(p.dims[0]);
}
