// what it asks: Does snprintf format, cut off at the size and return the full length?
#include <cstdio>
#include <cstring>

void observe(long long value);

int main() {
    char text[32];
    int n = std::snprintf(text, sizeof text, "%d x %03d %c %s", 12, 7, 'q', "end");
    observe(n);
    observe(text[7] - '0');
    observe(std::strcmp(text, "12 x 007 q end") == 0 ? 21 : 22);
    char name[12] = {};
    for (int i = 0; i < 9; ++i) name[i] = static_cast<char>('a' + i);
    char small[6];
    n = std::snprintf(small, sizeof small, "%s", name);
    observe(n * 10 + static_cast<int>(std::strlen(small)));
    observe(small[4] - 'a' + 30);
    observe(std::snprintf(nullptr, 0, "%x", 4095u));
}
