// what it asks: Are dependent types and member templates reached by typename and template?
void observe(long long value);

struct Policy {
    using value_type = short;
    static constexpr int width = 6;
    template <class U> static int pad(U v) { return static_cast<int>(v) + width; }
};
struct Other {
    using value_type = double;
    static constexpr int width = 60;
    template <class U> static int pad(U v) { return static_cast<int>(v * width); }
};
template <class P> int run(int n) {
    typename P::value_type v = static_cast<typename P::value_type>(n) / 2;
    return P::template pad<typename P::value_type>(v);
}
template <class P> struct Child : P {
    int w() const { return this->width + 1; }
};

int main() {
    observe(run<Policy>(7));
    observe(run<Other>(7));
    observe(Child<Policy>().w());
    observe(Child<Other>().w() + Child<Other>::width);
}
