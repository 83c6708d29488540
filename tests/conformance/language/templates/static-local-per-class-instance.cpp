// what it asks: Does a static local belong to one instantiation, of the class or of the method, by types and by numbers?
void observe(long long value);

template <class T, int N> struct Pool {
    static int next() {
        static int count = N;
        return ++count;
    }
    template <class U> int tag(U) {
        static int tags = 100;
        return tags += N;
    }
};
template <int N> int serial() {
    static int value = N * 10;
    return value++;
}

int main() {
    observe(Pool<int, 3>::next());
    observe(Pool<int, 3>::next());
    observe(Pool<int, 7>::next());
    observe(Pool<float, 3>::next());
    Pool<int, 3> a;
    Pool<int, 5> b;
    observe(a.tag(1) * 1000 + b.tag(1));
    observe(serial<1>() + serial<1>() + serial<2>());
    observe(serial<2>());
}
