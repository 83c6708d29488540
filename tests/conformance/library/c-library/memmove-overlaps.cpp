// what it asks: Does memmove shift overlapping elements as if through a copy?
#include <cstring>

void observe(long long value);

static int digits(const int* a, int n) {
    int d = 0;
    for (int i = 0; i < n; ++i) d = d * 10 + a[i];
    return d;
}
int main() {
    int a[6] = {1, 2, 3, 4, 5, 6};
    std::memmove(a + 1, a, 4 * sizeof(int));
    observe(digits(a, 6));
    std::memmove(a, a + 2, 4 * sizeof(int));
    observe(digits(a, 6));
    char text[] = "abcdef";
    std::memmove(text + 2, text, 4);
    observe(text[5] - 'a' + 10);
    observe(static_cast<long long>(std::strlen(text)));
}
