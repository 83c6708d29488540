// what it asks: Are floating numbers computed as their types are, and converted as C++ does?
#include <cstddef>

void observe(long long value);

struct Options {
    double load_factor{0.5};
    float ratio = 0.1f;
};

static std::size_t capacity_for(std::size_t rows, double load_factor) {
    std::size_t capacity = 1;
    while (capacity * load_factor < rows) capacity *= 2;
    return capacity;
}

static int half(double value) { return value / 2; }

template <class T>
T scaled(T value, double by) {
    return static_cast<T>(value * by);
}

int main() {
    Options options;
    observe(capacity_for(60, options.load_factor));
    observe(half(7));
    observe(half(-7.5));
    double sum = 0;
    for (int i = 0; i < 8; ++i) sum += 0.25;
    observe(static_cast<long long>(sum));
    observe(sum == 2.0);
    observe(options.ratio == 0.1);
    observe(options.ratio == 0.1f);
    float third = 1.0f / 3;
    observe(third * 3 == 1.0f);
    observe(static_cast<long long>(third * 1e9));
    observe(static_cast<long long>(1.0 / 3 * 1e9));
    observe(scaled(10, 1.55));
    observe(static_cast<long long>(scaled(10.0f, 1.55) * 1000));
    int cut = 3.99;
    observe(cut);
    bool any = 0.01;
    observe(any);
    cut *= 1.5;
    observe(cut);
    observe(-0.5 < 0 ? 1 : 2);
    double big = 16777217;
    float narrow = 16777217;
    observe(static_cast<long long>(big));
    observe(static_cast<long long>(narrow));
    auto share = 5 / 2 * 1.0;
    observe(static_cast<int>(share * 10));
    unsigned char byte = 200.7;
    observe(byte);
    const double seconds = 60'000'000 * 1e-9;
    observe(static_cast<int>(seconds * 1000));
    double quotient = 1.0;
    quotient /= 3;
    observe(static_cast<long long>(quotient * 1e12));
}
