// what it asks: Does a template template parameter rebuild the container for another element type?
#include <list>
#include <vector>

void observe(long long value);

template <template <class...> class C, class T> struct Pool {
    C<T> items;
    C<double> weights;
    void add(T v) {
        items.push_back(v);
        weights.push_back(v * 0.5);
    }
    int sum() const {
        double s = 0;
        for (double w : weights) s += w;
        return static_cast<int>(s * 10);
    }
};
template <template <class...> class C, class... Ts> int lengthOf(const C<Ts...>& c) {
    return static_cast<int>(c.size()) * 10 + static_cast<int>(sizeof...(Ts));
}

int main() {
    Pool<std::vector, int> a;
    Pool<std::list, short> b;
    a.add(3);
    a.add(4);
    b.add(9);
    observe(a.sum());
    observe(b.sum());
    observe(lengthOf(a.items));
    observe(lengthOf(b.weights));
}
