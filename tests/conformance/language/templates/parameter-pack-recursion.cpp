// what it asks: Does a recursive variadic template peel one argument at each step?
void observe(long long value);

static int depth = 0;
static int combine() { return 0; }
template <class T, class... Rest> int combine(T first, Rest... rest) {
    ++depth;
    return static_cast<int>(first) + 10 * combine(rest...);
}
template <class... Ts> constexpr int countOf(Ts...) { return static_cast<int>(sizeof...(Ts)); }

int main() {
    observe(combine(1, 2.9, 3u, 4L));
    observe(depth);
    observe(countOf('a', 1, 2.0) * 7);
    observe(combine(9));
    observe(depth);
}
