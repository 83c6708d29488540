// what it asks: Does extraction skip blanks and stop at what does not fit?
#include <sstream>
#include <string>

void observe(long long value);

int main() {
    std::istringstream in("  12 -5\n3.75 word 8x");
    int a = 0, b = 0, c = 0;
    double d = 0;
    std::string w;
    in >> a >> b >> d >> w >> c;
    observe(a * 10 + b);
    observe(static_cast<long long>(d * 100));
    observe(static_cast<long long>(w.size()) * 10 + c);
    char rest = '?';
    in >> rest;
    observe(rest - 'a');
    observe((in >> a) ? 50 : 60);
}
