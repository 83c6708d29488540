// what it asks: Is the more specialised function template preferred by partial ordering?
void observe(long long value);

template <class T> int f(T) { return 1; }
template <class T> int f(T*) { return 20; }
template <class T> int f(const T*) { return 300; }
template <class T, int N> int g(const T (&)[N]) { return N; }
template <class T> int g(const T&) { return 77; }
template <class T> int h(T, T) { return 5; }
template <class A, class B> int h(A, B) { return 6; }

int main() {
    int a[3] = {1, 2, 3};
    const int c = 4;
    observe(f(c));
    observe(f(&a[0]));
    observe(f(&c));
    observe(g(a) + g(c));
    observe(h(1, 2) * 10 + h(1, 2.0));
}
