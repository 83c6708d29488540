// what it asks: Does an auto non-type parameter keep the type of its argument?
void observe(long long value);

template <auto V> struct Constant {
    static constexpr auto value = V;
    static constexpr int bytes = static_cast<int>(sizeof(V));
};
template <auto... Vs> constexpr int total() { return (0 + ... + static_cast<int>(Vs)); }

int main() {
    observe(Constant<300>::value + Constant<300>::bytes);
    observe(Constant<'c'>::bytes + 10);
    observe(Constant<7LL>::bytes + 20);
    observe(total<1, 'a', 3u, true>() - 'a');
    observe(total<>());
}
