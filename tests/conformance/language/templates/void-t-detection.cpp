// what it asks: Does void_t detection tell which classes have a member, and pick the branch by it?
#include <type_traits>
#include <utility>

void observe(long long value);

template <class T, class = void> struct HasSync : std::false_type {};
template <class T> struct HasSync<T, std::void_t<decltype(std::declval<T&>().sync())>> : std::true_type {};
struct Stream {
    int n = 3;
    int sync() { return n *= 2; }
};
struct Event {
    int n = 8;
};
template <class T> int finish(T& t) {
    if constexpr (HasSync<T>::value) {
        return t.sync() + 100;
    } else {
        return t.n;
    }
}

int main() {
    Stream s;
    Event e;
    observe(finish(s));
    observe(finish(s));
    observe(finish(e));
    observe(HasSync<Stream>::value * 10 + HasSync<int>::value + 5);
}
