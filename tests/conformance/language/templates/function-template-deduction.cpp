// what it asks: Is the template argument deduced per call, so that the arithmetic is done in that type?
void observe(long long value);

template <class T> T third(T v) { return v / 3; }
template <class A, class B> int mixed(A a, B b) { return static_cast<int>((a + b) * 10); }

int main() {
    observe(third(10));
    observe(static_cast<int>(third(10.0) * 100));
    observe(static_cast<int>(third<double>(10) * 10));
    observe(third<unsigned char>(200));
    observe(mixed(1, 0.5) + mixed(2, 3));
}
