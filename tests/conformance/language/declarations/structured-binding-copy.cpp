// what it asks: Does a structured binding by value copy the object, so that changes stay apart?
void observe(long long value);

struct Dim {
    int x, y, z;
};

int main() {
    Dim d{2, 3, 4};
    auto [a, b, c] = d;
    d.y = 30;
    a += 100;
    observe(a);
    observe(b);
    observe(d.x * 10 + c);
    int pair[2] = {7, 8};
    auto [p, q] = pair;
    pair[1] = 80;
    observe(p * 100 + q);
}
