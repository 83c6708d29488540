// what it asks: Does CTAD use constructors and user guides to find the template arguments?
#include <type_traits>

void observe(long long value);

template <class T> struct Box {
    T v;
    Box(T x) : v(x) {}
    Box(T x, int n) : v(static_cast<T>(x * n)) {}
};
Box(const char*) -> Box<int>;
template <> struct Box<int> {
    int v;
    Box(int x) : v(x + 1) {}
    Box(const char* s) : v(s[0] - 'A' + 500) {}
};

int main() {
    Box a(5);
    Box b(2.5, 3);
    Box c("D");
    observe(a.v);
    observe(static_cast<int>(b.v * 10));
    observe(c.v);
    Box d = a;
    observe(std::is_same<decltype(d), Box<int>>::value ? d.v * 10 : -1);
}
