// what it asks: Does each instantiation of a function template have its own static local?
void observe(long long value);

template <class T> int tick() {
    static int n = static_cast<int>(sizeof(T)) * 10;
    return ++n;
}

int main() {
    observe(tick<int>());
    observe(tick<int>());
    observe(tick<double>());
    observe(tick<int>());
    observe(tick<double>());
}
