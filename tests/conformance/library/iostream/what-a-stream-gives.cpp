// what it asks: Is what was read from a stream what the stream held, and no older value?
#include <sstream>
void observe(long long value);

struct Point { int x = 1, y = 2; };
static std::istream& operator>>(std::istream& in, Point& p) { return in >> p.x >> p.y; }
static int shifted(unsigned v, int by) { return static_cast<int>(v >> by) + by; }

int main() {
    std::istringstream in("12 34 5 6 7");
    int a = 0, b = 0;
    in >> a;
    observe(a);
    if (in >> b) observe(b);
    Point p;
    in >> p;
    observe(p.x * 10 + p.y);
    int rest[2] = {8, 9};
    in >> rest[1];
    observe(rest[0] * 10 + rest[1]);
    observe(shifted(64, 3));
}
