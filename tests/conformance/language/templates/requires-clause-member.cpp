// std: c++20
// what it asks: Does a requires clause on members choose the function by the class's argument?
void observe(long long value);

template <int N> struct Tile {
    int cells[N] = {};
    int cost() const requires (N <= 4) { return N * 100; }
    int cost() const requires (N > 4) { return N + 3; }
};
template <class T> requires (sizeof(T) >= 8) int lanes() { return 2; }
template <class T> requires (sizeof(T) < 8) int lanes() { return static_cast<int>(16 / sizeof(T)) * 10; }

int main() {
    observe(Tile<4>{}.cost());
    observe(Tile<5>{}.cost());
    observe(lanes<double>());
    observe(lanes<float>());
    observe(lanes<char>());
}
