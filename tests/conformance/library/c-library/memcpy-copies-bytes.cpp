// what it asks: Does memcpy copy exactly the bytes asked, between structs and arrays?
#include <cstring>

void observe(long long value);

struct Pair {
    int a;
    int b;
};
int main() {
    int src[6] = {1, 2, 3, 4, 5, 6};
    int dst[6] = {9, 9, 9, 9, 9, 9};
    std::memcpy(dst + 1, src + 2, 3 * sizeof(int));
    src[2] = 70;
    observe(dst[0] * 1000 + dst[1] * 100 + dst[3] * 10 + dst[4]);
    Pair p{0, 0};
    std::memcpy(&p, src + 4, sizeof p);
    observe(p.a * 10 + p.b);
    float f = 1.0f;
    unsigned bits = 0;
    std::memcpy(&bits, &f, sizeof f);
    observe(bits >> 23);
}
