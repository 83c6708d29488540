// what it asks: Does a non-template overload win over a template with equally good conversions?
void observe(long long value);

template <class T> int route(T) { return 8; }
static int route(int) { return 80; }
template <class T> int route(T*) { return 800; }

int main() {
    int v = 0;
    observe(route(1));
    observe(route(1.5));
    observe(route(&v));
    observe(route<>(1));
    observe(route('c') + route<int>(2));
}
