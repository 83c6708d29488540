// what it asks: Are missing template arguments taken from their defaults, which may use earlier ones?
void observe(long long value);

template <class T, int N = 16 / static_cast<int>(sizeof(T)), class Acc = T> struct Vec {
    static int lanes() { return N; }
    static Acc fill(T v) {
        Acc s = 0;
        for (int i = 0; i < N; ++i) s = static_cast<Acc>(s + v);
        return s;
    }
};
template <class To = double, class From> To convert(From v) { return static_cast<To>(v) / 4; }

int main() {
    observe(Vec<double>::lanes());
    observe(Vec<short>::lanes() * 10);
    observe(Vec<unsigned char>::fill(40));
    observe(Vec<unsigned char, 16, int>::fill(40));
    observe(static_cast<int>(convert(10) * 10));
    observe(convert<int>(10));
}
