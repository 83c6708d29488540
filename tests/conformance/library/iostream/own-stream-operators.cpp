// what it asks: Do a class's own << and >> write and read it back?
#include <istream>
#include <ostream>
#include <sstream>

void observe(long long value);

struct Dim3 {
    int x = 1;
    int y = 1;
    int z = 1;
};
static std::ostream& operator<<(std::ostream& out, const Dim3& d) {
    return out << '(' << d.x << ',' << d.y << ',' << d.z << ')';
}
static std::istream& operator>>(std::istream& in, Dim3& d) {
    char c;
    return in >> c >> d.x >> c >> d.y >> c >> d.z >> c;
}
int main() {
    std::stringstream io;
    io << Dim3{16, 8, 2} << ' ' << Dim3{3, 4, 5};
    observe(static_cast<long long>(io.str().size()));
    Dim3 a, b, c;
    io >> a >> b;
    observe(a.x * a.y * a.z);
    observe(b.x * 100 + b.y * 10 + b.z);
    observe((io >> c) ? 20 : 20 + c.x * 7);
}
