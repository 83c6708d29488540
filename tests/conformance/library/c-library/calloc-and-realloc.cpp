// what it asks: Does calloc give zeros and realloc keep the old elements?
#include <cstdlib>

void observe(long long value);

int main() {
    int* p = static_cast<int*>(std::calloc(4, sizeof(int)));
    if (!p) return 1;
    p[1] = 21;
    observe(p[0] + p[1] * 10 + p[2] + p[3]);
    int* q = static_cast<int*>(std::realloc(p, 400 * sizeof(int)));
    if (!q) return 1;
    q[399] = 8;
    observe(q[1] + q[399]);
    q[0] = 5;
    p = static_cast<int*>(std::realloc(q, 2 * sizeof(int)));
    if (!p) return 1;
    observe(p[0] * 100 + p[1]);
    std::free(p);
}
