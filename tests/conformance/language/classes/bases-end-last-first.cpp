// what it asks: Do two bases end in the opposite order of their making, after the members?
void observe(long long value);

static long long log = 0;
template <int N> struct Mark {
    Mark() { log = log * 10 + N; }
    ~Mark() { log = log * 10 + N; }
};
struct Left { Mark<1> m; };
struct Right { ~Right() { log = log * 10 + 2; } };
struct Both : Left, Right {
    Mark<3> m;
    ~Both() { log = log * 10 + 4; }
};

int main() {
    { Both b; }
    observe(log);
}
