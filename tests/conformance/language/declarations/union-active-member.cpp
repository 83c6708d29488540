// what it asks: Does a tagged union give back the member that was last written?
void observe(long long value);

struct Couple {
    short a, b;
};
struct Value {
    enum Kind { Int, Real, Pair } kind;
    union {
        int i;
        double d;
        Couple p;
    };
};
static int asInt(const Value& v) {
    switch (v.kind) {
    case Value::Int:
        return v.i;
    case Value::Real:
        return static_cast<int>(v.d * 10);
    default:
        return v.p.a * 100 + v.p.b;
    }
}

int main() {
    Value v{};
    v.kind = Value::Int;
    v.i = 77;
    observe(asInt(v));
    v.kind = Value::Real;
    v.d = 2.5;
    observe(asInt(v));
    Value w = v;
    w.kind = Value::Pair;
    w.p = {6, 5};
    observe(asInt(w));
    observe(asInt(v) + 1);
}
