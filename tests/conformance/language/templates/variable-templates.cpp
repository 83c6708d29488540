// what it asks: Do variable templates hold a separate value per argument, specialised for some?
void observe(long long value);

template <class T> int counter = static_cast<int>(sizeof(T));
template <> int counter<char> = 100;
template <int N> constexpr int triangle = N * (N + 1) / 2;
template <class T> constexpr bool isWide = sizeof(T) > 4;

int main() {
    counter<int> += 10;
    counter<double> += 20;
    counter<int> += 1;
    observe(counter<int>);
    observe(counter<double>);
    observe(counter<char>);
    observe(triangle<20>);
    observe((isWide<double> ? 7 : 8) * 10 + (isWide<short> ? 7 : 8));
}
