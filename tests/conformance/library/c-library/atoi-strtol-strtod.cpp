// what it asks: Do atoi, strtol and strtod read the number and tell where it stopped?
#include <cstdlib>

void observe(long long value);

int main() {
    const char* text = "128,0x40,-9z";
    char* rest = nullptr;
    observe(std::atoi(text));
    long a = std::strtol(text, &rest, 10);
    observe(a + (rest - text));
    long b = std::strtol(rest + 1, &rest, 16);
    observe(b);
    long c = std::strtol(rest + 1, &rest, 0);
    observe(c * 100 + (*rest - 'a'));
    double d = std::strtod("2.5e2mm", &rest);
    observe(static_cast<long long>(d) + (*rest - 'a'));
    observe(std::atoi("none") + std::atoi(" +15 "));
}
