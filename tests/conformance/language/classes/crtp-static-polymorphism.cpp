// what it asks: Does a CRTP base call the derived implementation and keep a counter per derived class?
void observe(long long value);

template <class D> struct Layer {
    static int uses;
    int forward(int v) const {
        ++uses;
        return static_cast<const D&>(*this).apply(v) + 1;
    }
    int apply(int v) const { return v; }
};
template <class D> int Layer<D>::uses = 0;
struct Double : Layer<Double> {
    int apply(int v) const { return v * 2; }
};
struct Identity : Layer<Identity> {};

int main() {
    Double d;
    Identity i;
    observe(d.forward(20));
    observe(i.forward(20));
    observe(d.forward(i.forward(5)));
    observe(Double::uses * 10 + Identity::uses);
}
