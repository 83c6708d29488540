// what it asks: Do alias templates stand for the types they rename, with some parameters fixed?
#include <array>
#include <map>
#include <type_traits>
#include <utility>

void observe(long long value);

template <class T> using Triple = std::array<T, 3>;
template <class V> using ByName = std::map<char, V>;
template <class T> using Elem = std::remove_reference_t<decltype(*std::declval<T>())>;
template <bool C> using Index = std::conditional_t<C, long long, short>;

int main() {
    Triple<int> t = {4, 5, 6};
    observe(t[2] * 10 + static_cast<int>(t.size()));
    ByName<Triple<int>> m;
    m['x'] = t;
    t[0] = 99;
    observe(m['x'][0] + static_cast<int>(m['y'][1]));
    Elem<double*> half = 7 / 2.0;
    observe(static_cast<int>(half * 10));
    observe(sizeof(Index<true>) * 10 + sizeof(Index<false>));
}
