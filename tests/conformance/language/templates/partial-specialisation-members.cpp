// what it asks: Do methods and fields come from the specialisation that the arguments match best?
#include <cstddef>
#include <utility>
void observe(long long value);

template <class T> struct Traits {
    int width = 1;
    int pick() const { return 10; }
};
template <class T> struct Traits<T*> {
    int width = 2;
    int pick() const { return 20 + width; }
};
template <class T> struct Traits<const T*> {
    int width = 3;
    int pick() const { return 30 + static_cast<int>(sizeof(T)); }
};
template <class A, class B> struct Traits<std::pair<A, B>> {
    int pick() const { return 40; }
};
template <class T, bool Big> struct Choice { static int of(int v) { return v; } };
template <class T> struct Choice<T, true> { static int of(int v) { return v * 100; } };

int main() {
    Traits<int> a;
    Traits<int*> b;
    Traits<const short*> c;
    Traits<std::pair<int*, char>> d;
    observe(a.pick() + a.width);
    observe(b.pick());
    observe(c.pick() + c.width);
    observe(d.pick());
    observe(Choice<int, true>::of(3) + Choice<int, false>::of(4));
}
