// what it asks: Does __VA_ARGS__ pass on all the remaining arguments with their commas?
void observe(long long value);

template <class... T> static int count(T...) { return static_cast<int>(sizeof...(T)); }
template <class... T> static int total(T... v) { return (0 + ... + v); }
#define COUNT(...) count(__VA_ARGS__)
#define SCALED(k, ...) ((k) * total(__VA_ARGS__))
#define LIST(name, ...) int name[] = {__VA_ARGS__}
#define FIRST(a, ...) a
#define SECOND(a, b, ...) b

int main() {
    observe(COUNT(4, 5, 6));
    observe(SCALED(10, 1, 2, 3));
    LIST(v, 9, 8, 7, 6);
    observe(sizeof(v) / sizeof(v[0]) * 10 + v[3]);
    observe(FIRST(71, 72, 73) * 100 + SECOND(1, 2, 3));
    int n = 5;
    observe(COUNT() + COUNT((n += 4, 2), 3) * 7);
    observe(n);
}
