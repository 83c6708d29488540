// what it asks: Do braces mean the constructors a class takes over from its base, where it is no aggregate?
void observe(long long value);

struct Plain {
    int *data;
    int size;
    Plain() : data(nullptr), size(0) {}
    Plain(int *at, int many) : data(at), size(many) {}
};
struct Own : Plain {
    using Plain::Plain;
    Own() : Plain() {}
};
struct Named : Plain {
    using base = Plain;
    using base::base;
    Named() : base() {}
};
template <class T, class Derived> struct Span {
    T *data{nullptr};
    int size{0};
    constexpr Span() {}
    constexpr Span(T *at, int many) : data(at), size(many) {}
};
template <class T> struct Host : public Span<T, Host<T>> {
    using base = Span<T, Host<T>>;
    using base::base;
    constexpr Host() noexcept : base() {}
};

int main() {
    int x[4] = {1, 2, 3, 4};
    Own a(x, 1), b{x, 2};
    observe(a.size * 10 + b.size);
    Named c(x, 3), d{x, 4};
    observe(c.size * 10 + d.size);
    Host<int> e(x, 5), f{x, 6}, g;
    observe(e.size * 100 + f.size * 10 + g.size);
    observe(f.data[2]);
}
