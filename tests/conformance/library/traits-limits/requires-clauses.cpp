// what it asks: Does a requires clause leave only the overload whose class an argument converts to?
// std: c++20
#include <type_traits>
#include <vector>

void observe(long long value);

template <class T>
struct Near {
    T first;
};
template <class T>
struct Far {
    T first;
};
struct Town {
    using value_type = int;
    int size = 7;
    operator Near<int>() const { return {size}; }
};
struct Star {
    using value_type = int;
    int size = 9;
    operator Far<int>() const { return {size}; }
};
template <class T>
int visit(Near<T> place) { return 100 + place.first; }
template <class T>
int visit(Far<T> place) { return 200 + place.first; }
template <class P>
int visit(P const& place)
    requires(std::is_convertible_v<P, Near<typename P::value_type>>)
{
    return 1000 + place.size;
}
template <class P>
int visit(P const& place)
    requires(std::is_convertible_v<P, Far<typename P::value_type>>)
{
    return 2000 + place.size;
}
template <class T>
int visit(std::vector<T> const& places) { return 300 + static_cast<int>(places.size()); }

int main() {
    Town town;
    Star star;
    std::vector<int> three{1, 2, 3};
    observe(visit(Near<int>{4}));
    observe(visit(Far<int>{5}));
    observe(visit(town));
    observe(visit(star));
    observe(visit(three));
}
