// std: c++20
// what it asks: Does a lambda with explicit template parameters deduce and use them?
void observe(long long value);

int main() {
    auto size = []<class T, int N>(const T (&)[N]) { return N * 100 + static_cast<int>(sizeof(T)); };
    int a[5] = {};
    double b[2] = {};
    observe(size(a));
    observe(size(b));
    auto make = []<int K>(int v) { return v * K; };
    observe(make.template operator()<6>(7));
    auto widen = []<class T>(T v) { return static_cast<T>(v * 2); };
    observe(widen(static_cast<unsigned char>(200)));
    observe(widen(200));
}
