// what it asks: Does every instantiation of a class template have its own static data member?
void observe(long long value);

template <class T, int N> struct Registry {
    static int used;
    int slot;
    Registry() : slot(used++) {}
};
template <class T, int N> int Registry<T, N>::used = N;
template struct Registry<long, 7>;

int main() {
    Registry<int, 1> a, b;
    Registry<int, 10> c;
    Registry<float, 1> d;
    observe(b.slot);
    observe(c.slot);
    observe(d.slot + 30);
    Registry<int, 1> e;
    observe(e.slot + a.slot);
    observe(Registry<long, 7>::used);
}
