// what it asks: Does memset set each byte and memcmp order by the first that differs?
#include <cstring>

void observe(long long value);

static int sign(int x) { return x < 0 ? 2 : x > 0 ? 4 : 3; }
int main() {
    unsigned char a[8], b[8];
    std::memset(a, 0x11, sizeof a);
    std::memset(b, 0x11, sizeof b);
    observe(sign(std::memcmp(a, b, 8)));
    std::memset(b + 5, 0x20, 2);
    observe(sign(std::memcmp(a, b, 8)) * 10 + sign(std::memcmp(a, b, 5)));
    observe(b[5] + b[7]);
    short s = 0;
    std::memset(&s, 1, sizeof s);
    observe(s);
    int v[3] = {5, 6, 7};
    std::memset(v, 0, 2 * sizeof(int));
    observe(v[0] + v[1] * 10 + v[2] * 100);
}
